import assert from 'node:assert/strict';
import {
  contentHash,
  fingerprint,
  MAX_DECODER_VERSION,
  storedText,
  versionAbove,
  versionDecoded,
} from '../../../../clickhouse/model/report.ts';
import { DECODER_VERSION } from '../../../../loader/decode.ts';

const plain = 'KJFK 311251Z 18004KT 10SM CLR 12/M01 A3001 RMK AO2 SLP161';

describe('fingerprint of a report (D4)', () => {
  const sameReport = {
    'the METAR keyword': `METAR ${plain}`,
    'the SPECI keyword': `SPECI ${plain}`,
    'a closing =': `${plain}=`,
    'a closing $ with or without a blank before it': `${plain} $`,
    'several closing characters': `${plain}$ = $=`,
    'a correction mark after the keyword': `METAR COR ${plain}`,
    'a correction mark after the time': plain.replace('311251Z', '311251Z COR'),
    // American military stations write the time of a correction; IEM cut `COR ` out of each report until 2020-10.
    'a correction mark before a time in the remarks (D69)': plain.replace('SLP161', 'COR SLP161'),
    'line breaks and runs of blanks': plain.replaceAll(' ', ' \r\n  '),
    'lower case': plain.toLowerCase(),
    'characters outside ASCII, which IEM leaves out (D69)': plain.replace('RMK AO2', 'RMK AÑO2 °'),
    'a character that upper case turns into letters of ASCII': plain.replace('AO2', 'AßO2ﬁ'),
    'a no-break space, which IEM leaves out (D69)': plain.replace('AO2', 'A\u00a0O2'),
    'the mark of a correction from the heading of a bulletin': `METAR CCB ${plain}`,
    'a character that could not be read': plain.replace('SLP161', 'SLP\ufffd161'),
  };
  for (const [what, raw] of Object.entries(sameReport))
    it(`does not change with ${what}`, () => assert.equal(fingerprint(raw), fingerprint(plain)));

  it('treats a comma as a blank', () => {
    assert.equal(fingerprint('MROC 010000Z RMK A, B,C'), fingerprint('MROC 010000Z RMK A  B C'));
  });
  it('changes with COR at the end of the remarks, and keywords in them', () => {
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
  it('cuts at 200 characters of ASCII', () => {
    const long = `KJFK 311251Z RMK ${'X'.repeat(250)}`;
    assert.equal(fingerprint(long.replace('RMK X', 'RMK ÑX')), fingerprint(long));
  });
  for (const [raw, id] of [
    [plain, 'cb9b00e7'],
    ['METAR COR SPJC 010000Z 18010KT,  9999 RMK nio costero $=', '99fa5ae2'],
    [`KJFK 311251Z RMK ${'X'.repeat(250)}`, 'e810bc3d'],
  ] as const)
    it(`is the same in every release, because ids contain it: ${raw.slice(0, 60)}`, () => {
      assert.equal(fingerprint(raw), id);
    });
});

describe('version of a row', () => {
  it('has the rank of the source in its high bits (D4)', () => assert.equal(versionAbove(6) >> 24, 6));
  it('rises when the same source revises its row', () => {
    const first = versionAbove(2);
    const second = versionAbove(2, { version: first });
    assert.ok(second > first);
    assert.ok(versionAbove(2, { version: second }) > second);
  });
  it('of a better source is above every revision of a lesser one', () => {
    const revised = versionAbove(2, { version: versionAbove(2) + 1000 });
    assert.ok(versionAbove(3, { version: revised }) > revised);
    assert.equal(versionAbove(3, { version: revised }), versionAbove(3));
  });
  it('fits into UInt32', () => assert.ok(versionAbove(255, undefined, 255) < 2 ** 32 - 2 ** 16));
  it('differs where two loaders write a report at the same time, each with a content of its own', () => {
    const content = { type: 'METAR', source: 'iem', counts: 'no', raw: plain } as const;
    const contents = [
      content,
      { ...content, type: 'SPECI' as const },
      { ...content, source: 'tgftp' },
      { ...content, counts: 'hour' as const },
      ...['$', '='].map((end) => ({ ...content, raw: plain + end })),
      { ...content, raw: `METAR ${plain}` },
      { ...content, raw: plain.replace(' ', '  ') },
      { ...content, raw: `${plain} ${'X'.repeat(250)}` },
    ];
    assert.equal(new Set(contents.map((each) => versionAbove(2, undefined, contentHash(each)))).size, 9);
  });
  it('is the same for most reports of a source: they differ in what their fingerprint has', () => {
    const content = { type: 'METAR', source: 'iem', counts: 'no' } as const;
    const hashes = ['24', '25'].map((temperature) =>
      contentHash({ ...content, raw: plain.replace('12/', `${temperature}/`) }),
    );
    assert.equal(hashes[0], hashes[1]);
  });

  describe('of a newer decoder', () => {
    const row = { version: versionAbove(2, { version: versionAbove(2) }) };

    it('is above the row, and rises from decoder to decoder', () => {
      const second = versionDecoded(2, row);
      assert.ok(second > row.version);
      assert.ok(versionDecoded(3, { version: second }) > second);
      assert.ok(versionDecoded(2, { version: row.version + 7 }) > row.version + 7);
    });
    it('is the same, whichever decoder read the text before', () => {
      assert.equal(versionDecoded(4, { version: versionDecoded(2, row) }), versionDecoded(4, row));
    });
    it('stays below every other text, of whatever source, that was written without knowing of it', () => {
      for (const rank of [1, 2, 3, 255])
        assert.ok(versionAbove(rank, row) > versionDecoded(MAX_DECODER_VERSION, row), `${rank}`);
    });
    it('is below a text that was written knowing of it', () => {
      const decoded = versionDecoded(MAX_DECODER_VERSION, row);
      assert.ok(versionAbove(2, { version: decoded }) > decoded);
    });
  });
  it('fits the current decoder version', () => assert.ok(DECODER_VERSION <= MAX_DECODER_VERSION));
});

const MARK = '\u0001'.repeat(12);
const AT = Date.UTC(2024, 0, 1, 12, 5) / 1000;

describe('the stored text of a report', () => {
  for (const [raw, stored] of [
    ['CYYZ 011205Z 18004KT', `${MARK} 18004KT`],
    ['METAR CYYZ 011205Z 18004KT', `METAR ${MARK} 18004KT`],
    ['SPECI CYYZ 011205Z', `SPECI ${MARK}`],
    // The time of the text is another one, or it has another form.
    ['CYYZ 011206Z 18004KT', 'CYYZ 011206Z 18004KT'],
    ['CYYZ  011205Z', 'CYYZ  011205Z'],
    ['CYYZ 01125Z CYYZ 011205Z CYYZ 011205Z', `CYYZ 01125Z ${MARK} CYYZ 011205Z`],
    ['', ''],
  ] as const)
    it(`has no station and time: ${raw}`, () => assert.equal(storedText(raw, 'CYYZ', AT), stored));
});
