import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseTimestamp } from '../../../../api/observations/timestamp.ts';

const time = (text: string) => {
  const read = parseTimestamp(text);
  return read.kind === 'time' ? new Date(read.milliseconds).toISOString() : read.detail;
};

describe('a timestamp (D19)', () => {
  it('is RFC 3339 in UTC, however its offset is written', () => {
    for (const text of ['Z', 'z', '+00:00', '-00:00', '.0Z', '.000000000000Z'])
      assert.equal(time(`2024-02-29T12:34:56${text}`), '2024-02-29T12:34:56.000Z');
    assert.equal(time('2024-02-29t12:34:56z'), '2024-02-29T12:34:56.000Z');
  });

  it('is read back from every millisecond of a Date', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(date, (at) => assert.equal(time(at.toISOString()), at.toISOString())));
  });

  it('is rounded up below the millisecond, which keeps both bounds exact', () => {
    assert.equal(time('2024-01-01T00:00:00.0000001Z'), '2024-01-01T00:00:00.001Z');
    assert.equal(time('2024-01-01T00:00:00.9991Z'), '2024-01-01T00:00:01.000Z');
  });

  it('knows leap years and leap seconds', () => {
    assert.equal(time('2000-02-29T00:00:00Z'), '2000-02-29T00:00:00.000Z');
    assert.equal(time('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z');
    assert.match(time('2016-12-30T23:59:60Z'), /seconds go from 00 to 59/);
  });

  it('says what to write instead of everything else', () => {
    const faults: Record<string, RegExp> = {
      '2024-02-30T00:00:00Z': /no 2024-02-30 in the calendar/,
      '2023-02-29T00:00:00Z': /no 2023-02-29/,
      '1900-02-29T00:00:00Z': /no 1900-02-29/,
      '2024-13-01T00:00:00Z': /no 2024-13-01/,
      '2024-00-10T00:00:00Z': /no 2024-00-10/,
      '2024-01-00T00:00:00Z': /no 2024-01-00/,
      '2024-01-01T24:00:00Z': /midnight is 00:00:00 of the next day/,
      '2024-01-01T12:60:00Z': /minutes/,
      '2024-01-01T12:00:60Z': /seconds/,
      '2024-01-01': /add the time, as in 2024-01-01T00:00:00Z/,
      '2024-01-01T00:00:00': /no UTC offset: end it with Z/,
      '2024-01-01T00:00:00+05:30': /must be in UTC/,
      '2024-01-01T00:00:00-07:00': /must be in UTC/,
      '2024-01-01T00:00:00 00:00': /a blank where a \+ was meant/,
      '2024-01-01T00:00:00 02:00': /a blank where a \+ was meant/,
      '2024-01-01 00:00:00Z': /T between date and time/,
      '2024-01-01T00:00:00UTC': /must end with Z/,
      '2024-01-01T00:00:00.Z': /must end with Z/,
      '2024-01-01T00:00Z': /RFC 3339/,
      '20240101T000000Z': /RFC 3339/,
      '1704067200': /RFC 3339/,
      '2024-1-1T00:00:00Z': /RFC 3339/,
      '2024-01-01T00:00:00,5Z': /must end with Z/,
      '2024-01-01T00:00:00Z\n': /must end with Z/,
      ' 2024-01-01T00:00:00Z': /RFC 3339/,
      '12024-01-01T00:00:00Z': /RFC 3339/,
      '٢٠٢٤-01-01T00:00:00Z': /RFC 3339/,
      '': /RFC 3339/,
    };
    for (const [text, detail] of Object.entries(faults)) assert.match(time(text), detail, text);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseTimestamp(text).kind !== undefined));
  });
});
