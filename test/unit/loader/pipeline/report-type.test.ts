import assert from 'node:assert/strict';
import { keywordOf, MinuteHistogram, sentTypeOf } from '../../../../loader/pipeline/report-type.ts';

describe('type of a report', () => {
  it('is the keyword at its start', () => {
    assert.equal(keywordOf('METAR XAAA 010000Z'), 'METAR');
    assert.equal(keywordOf('SPECI XAAA 010003Z'), 'SPECI');
    assert.equal(keywordOf('XAAA 010000Z RMK METAR SPECI'), undefined);
    assert.equal(keywordOf('METARXAAA'), undefined);
  });

  it('is that of a typed source where the text has no keyword', () => {
    const stored = { raw: 'XAAA 010003Z', type: 'SPECI' } as const;
    assert.equal(sentTypeOf({ ...stored, source: 'ncei' }), 'SPECI');
    assert.equal(sentTypeOf({ ...stored, source: 'iem' }), undefined);
  });

  it('is METAR at minutes with at least a tenth of the reports of the most frequent minute', () => {
    const at = (minute: number) => Date.parse(`2024-01-31T12:${minute}:00Z`) / 1000;
    const minutes = new MinuteHistogram();
    minutes.add({ station: 'XAAA', observedAt: at(51) }, 1000);
    minutes.add({ station: 'XAAA', observedAt: at(20) }, 100);
    minutes.add({ station: 'XAAA', observedAt: at(33) }, 99);
    minutes.add({ station: 'XAAA', observedAt: at(40), sentType: 'SPECI' }, 500);
    minutes.add({ station: 'XAAB', observedAt: at(44) }, 5000);
    const isMetar = minutes.inference();
    assert.deepEqual(
      [51, 20, 33, 44, 40].map((minute) => isMetar('XAAA', at(minute))),
      [true, true, false, false, false],
    );
    assert.equal(isMetar('XAAA', at(51) + 366 * 86_400), false, 'another year');
  });
});
