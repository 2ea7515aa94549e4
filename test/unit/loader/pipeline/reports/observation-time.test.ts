import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { dayTimeOf, observationTime } from '../../../../../loader/pipeline/reports/observation-time.ts';

const seconds = (text: string) => Date.parse(text) / 1000;
const resolve = (raw: string, filed: string) =>
  new Date(observationTime(dayTimeOf(raw), seconds(filed)) * 1000).toISOString();

describe('observation time', () => {
  it('is that of the report and not that of the bulletin', () => {
    assert.equal(resolve('METAR XAAA 020100Z 07018KT', '2012-01-02T00:48:00Z'), '2012-01-02T01:00:00.000Z');
  });

  it('can be in the next month or the next year', () => {
    assert.equal(resolve('XAAA 010002Z 07018KT', '2023-12-31T23:58:00Z'), '2024-01-01T00:02:00.000Z');
    assert.equal(resolve('XAAA 292355Z 07018KT', '2024-03-01T00:00:00Z'), '2024-02-29T23:55:00.000Z');
  });

  it('is that of the source when the report’s is weeks away', () => {
    assert.equal(resolve('METAR XAAA 291600Z 07018KT', '2005-04-25T16:00:00Z'), '2005-04-25T16:00:00.000Z');
  });

  it('is that of the report up to exactly one day away', () => {
    assert.equal(resolve('XAAA 161200Z', '2024-01-15T12:00:00Z'), '2024-01-16T12:00:00.000Z');
    assert.equal(resolve('XAAA 161201Z', '2024-01-15T12:00:00Z'), '2024-01-15T12:00:00.000Z');
  });

  it('is that of the source where the report has none that exists', () => {
    for (const raw of [
      'METAR XAAA 07018KT',
      'METAR XAAA 321200Z',
      'METAR XAAA 012460Z',
      'METAR XAAA 012500Z',
      '',
    ])
      assert.equal(resolve(raw, '2024-01-15T12:00:00Z'), '2024-01-15T12:00:00.000Z', raw);
  });

  it('is a whole minute', () => {
    assert.equal(resolve('METAR XAAA', '2024-01-15T12:00:59Z'), '2024-01-15T12:00:00.000Z');
  });

  it('is that of the source where the month has no such day', () => {
    assert.equal(resolve('XAAA 312350Z', '2024-05-01T00:10:00Z'), '2024-05-01T00:10:00.000Z');
  });

  it('is found after keyword, correction and military header, and without its Z', () => {
    const time = { day: 2, hour: 17, minute: 23 };
    for (const raw of [
      'METAR COR XAAA 021723Z 07018KT',
      'COR XAAA 021723Z 07018KT',
      'SPECI XAAA 021723 07018KT',
      'MOBOB0 METAR 7026 //008 000000 021723Z AUTO',
    ])
      assert.deepEqual(dayTimeOf(raw), time, raw);
  });

  it('is not taken from the remarks', () => {
    assert.equal(dayTimeOf('XAAA AUTO 07018KT 9999 CLR 10/10 Q1013 RMK 021723Z'), undefined);
  });
});
