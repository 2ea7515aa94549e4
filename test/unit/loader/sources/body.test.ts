import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forEachLine, parseCsvLine } from '../../../../loader/sources/body.ts';

async function read(...chunks: readonly (string | Uint8Array)[]) {
  const lines: string[] = [];
  async function* body() {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  const ended = await forEachLine(body(), (line) => lines.push(line));
  return { lines, ended };
}

describe('lines of a body', () => {
  it('are the same for every division into chunks', async () => {
    const text = 'station,valid,metar\nXAAA,2024-01-01 00:00,Überraschung\r\n\nlast\n';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 6 }), async (cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        assert.deepEqual(await read(...chunks), {
          lines: ['station,valid,metar', 'XAAA,2024-01-01 00:00,Überraschung', '', 'last'],
          ended: true,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('report a last line without line feed', async () => {
    assert.deepEqual(await read('one\ntw'), { lines: ['one', 'tw'], ended: false });
  });

  it('are none in an empty body', async () => {
    assert.deepEqual(await read(), { lines: [], ended: true });
  });
});

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
