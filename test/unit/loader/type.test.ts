import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyHistogram, keywordOf, minuteOf, routineMinutes, sentTypeOf } from '../../../loader/type.ts';

describe('the type of a report', () => {
  it('is the keyword it begins with', () => {
    assert.equal(keywordOf('METAR XAAA 010000Z'), 'METAR');
    assert.equal(keywordOf('SPECI XAAA 010003Z'), 'SPECI');
    assert.equal(keywordOf('XAAA 010000Z RMK METAR SPECI'), undefined);
    assert.equal(keywordOf('METARXAAA'), undefined);
  });

  it('stays what a typed source said of a text without keyword', () => {
    const archived = { raw: 'XAAA 010003Z', type: 'SPECI' } as const;
    assert.equal(sentTypeOf({ ...archived, source: 'ncei' }), 'SPECI');
    assert.equal(sentTypeOf({ ...archived, source: 'iem' }), undefined);
  });

  it('is routine at a minute with a tenth of the reports of the most frequent minute', () => {
    const histogram = emptyHistogram();
    histogram[51] = 1000;
    histogram[20] = 100;
    histogram[3] = 99;
    assert.deepEqual([...routineMinutes(histogram)].sort(), [20, 51]);
  });

  it('is told by the minute of the hour', () => {
    assert.equal(minuteOf(Date.parse('2024-01-31T12:51:00Z') / 1000), 51);
  });
});
