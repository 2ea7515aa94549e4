import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseCsvLine } from '../../../../loader/sources/body.ts';

describe('CSV line (RFC 4180)', () => {
  it('parses values with and without quotes, commas and quotes inside quotes', () => {
    assert.deepEqual(parseCsvLine('"a","b, c",,"say ""hi""",d'), ['a', 'b, c', '', 'say "hi"', 'd']);
    assert.deepEqual(parseCsvLine('"a",'), ['a', '']);
    assert.deepEqual(parseCsvLine(''), ['']);
  });

  it('returns any values that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        const line = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
        assert.deepEqual(parseCsvLine(line), values);
      }),
    );
  });

  it('ends a value at the end of the line when its quote is not closed', () => {
    assert.deepEqual(parseCsvLine('a,"b,c'), ['a', 'b,c']);
  });
});
