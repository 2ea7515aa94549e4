import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseCsvLine } from '../../../../loader/sources/csv.ts';

describe('a line of CSV (RFC 4180)', () => {
  it('has values quoted and bare, with commas and quotes inside quotes', () => {
    assert.deepEqual(parseCsvLine('"a","b, c",,"say ""hi""",d'), ['a', 'b, c', '', 'say "hi"', 'd']);
    assert.deepEqual(parseCsvLine('"a",'), ['a', '']);
    assert.deepEqual(parseCsvLine(''), ['']);
  });

  it('gives back what was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        const line = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
        assert.deepEqual(parseCsvLine(line), values);
      }),
    );
  });

  it('ends with the line when a quote never ends', () => {
    assert.deepEqual(parseCsvLine('a,"b,c'), ['a', 'b,c']);
  });
});
