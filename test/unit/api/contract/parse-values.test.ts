import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ParameterError, parseTimestamp } from '../../../../api/contract/parse-values.ts';

/** The time in ISO 8601, or the error. */
const parse = (text: string) => {
  try {
    return new Date(parseTimestamp(text)).toISOString();
  } catch (error) {
    assert.ok(error instanceof ParameterError);
    return error.message;
  }
};

describe('timestamp (D19)', () => {
  it('is RFC 3339 in UTC, with any notation of the offset 0', () => {
    for (const text of ['Z', 'z', '+00:00', '-00:00', '.0Z', '.000000000000Z'])
      assert.equal(parse(`2024-02-29T12:34:56${text}`), '2024-02-29T12:34:56.000Z');
    assert.equal(parse('2024-02-29t12:34:56z'), '2024-02-29T12:34:56.000Z');
  });

  it('is parsed from every millisecond that a Date can print', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(date, (at) => assert.equal(parse(at.toISOString()), at.toISOString())));
  });

  it('is rounded up to the millisecond, which keeps both bounds exact', () => {
    assert.equal(parse('2024-01-01T00:00:00.0000001Z'), '2024-01-01T00:00:00.001Z');
    assert.equal(parse('2024-01-01T00:00:00.9991Z'), '2024-01-01T00:00:01.000Z');
  });

  it('may be in a leap year or a leap second', () => {
    assert.equal(parse('2000-02-29T00:00:00Z'), '2000-02-29T00:00:00.000Z');
    assert.equal(parse('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z');
    assert.match(parse('2016-12-30T23:59:60Z'), /must have seconds from 00 to 59/);
  });

  it('has an error that says what to write instead of any other text', () => {
    const errors: Record<string, RegExp> = {
      '2024-02-30T00:00:00Z': /there is no 2024-02-30 in the calendar/,
      '2023-02-29T00:00:00Z': /no 2023-02-29/,
      '1900-02-29T00:00:00Z': /no 1900-02-29/,
      '2024-13-01T00:00:00Z': /no 2024-13-01/,
      '2024-00-10T00:00:00Z': /no 2024-00-10/,
      '2024-01-00T00:00:00Z': /no 2024-01-00/,
      '2024-01-01T24:00:00Z': /midnight is 00:00:00 of the next day/,
      '2024-01-01T12:60:00Z': /minutes/,
      '2024-01-01T12:00:60Z': /seconds/,
      '2024-01-01': /has no time: add it, as in 2024-01-01T00:00:00Z/,
      '2024-01-01T00:00:00': /no UTC offset: end it with Z/,
      '2024-01-01T00:00:00+05:30': /must be in UTC: write 2023-12-31T18:30:00Z, which is the same time/,
      '2024-01-01T00:00:00.25-07:00': /must be in UTC: write 2024-01-01T07:00:00\.25Z/,
      '2024-01-01T00:00:00 00:00': /a space in place of \+: write 2024-01-01T00:00:00Z/,
      '2024-01-01T00:00:00 05:30':
        /a space in place of \+: write 2023-12-31T18:30:00Z, which is this time in UTC/,
      '2024-01-01 00:00:00Z': /T between date and time/,
      '2024-01-01T00:00:00UTC': /must end with Z/,
      '2024-01-01T00:00:00.Z': /must have digits after the point/,
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
    for (const [text, detail] of Object.entries(errors)) assert.match(parse(text), detail, text);
  });

  it('is valid or has an error for any text, and is never NaN', () => {
    fc.assert(
      // `toISOString` throws a RangeError for NaN.
      fc.property(fc.string({ unit: 'binary' }), (text) => assert.notEqual(parse(text), '')),
    );
  });
});
