import assert from 'node:assert/strict';
import { fingerprint } from '../../../../clickhouse/model/fingerprint.ts';

describe('fingerprint of a report (D4)', () => {
  const plain = 'KJFK 311251Z 18004KT 10SM CLR 12/M01 A3001 RMK AO2 SLP161';

  const sameReport = {
    'the METAR keyword': `METAR ${plain}`,
    'the SPECI keyword': `SPECI ${plain}`,
    'a closing =': `${plain}=`,
    'a closing $ with or without a blank before it': `${plain} $`,
    'several closing characters': `${plain}$ = $=`,
    'a correction mark after the keyword': `METAR COR ${plain}`,
    'a correction mark after the time': plain.replace('311251Z', '311251Z COR'),
    'line breaks and runs of blanks': plain.replaceAll(' ', ' \r\n  '),
    'lower case': plain.toLowerCase(),
  };
  for (const [what, raw] of Object.entries(sameReport))
    it(`does not change with ${what}`, () => assert.equal(fingerprint(raw), fingerprint(plain)));

  it('treats a comma as a blank', () => {
    assert.equal(fingerprint('MROC 010000Z RMK A, B,C'), fingerprint('MROC 010000Z RMK A  B C'));
  });
  it('changes with COR and keywords in the remarks', () => {
    assert.notEqual(fingerprint('KJFK 311251Z RMK COR'), fingerprint('KJFK 311251Z RMK'));
    assert.notEqual(fingerprint('KJFK 311251Z RMK SPECI'), fingerprint('KJFK 311251Z RMK'));
  });
  it('covers 200 characters, because sources cut texts at different lengths', () => {
    const long = `KJFK 311251Z RMK ${'X'.repeat(250)}`;
    assert.equal(fingerprint(long), fingerprint(long.slice(0, 200)));
    assert.notEqual(fingerprint(long), fingerprint(long.slice(0, 199)));
  });
  it('differs between reports of one minute', () => {
    assert.notEqual(fingerprint(plain), fingerprint(plain.replace('12/M01', '13/M01')));
  });
  it('is the same in every release, because ids contain it', () => {
    assert.equal(fingerprint(plain), 'cb9b00e7');
  });
});
