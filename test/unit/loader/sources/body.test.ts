import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { parseCsvLine, peek, splitLines } from '../../../../loader/sources/body.ts';
import { SOURCE_ADAPTERS } from '../../../../loader/sources/registry.ts';
import { InvalidResponseError } from '../../../../loader/sources/source.ts';

async function read(...chunks: readonly (string | Uint8Array)[]) {
  const lines: string[] = [];
  async function* body() {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  let ended = true;
  const { start, all } = await peek(body());
  assert.deepEqual(start, Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string))));
  for await (const group of splitLines(all)) {
    lines.push(...group.lines);
    ended = group.ended;
  }
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

  it('are UTF-8, or Latin-1 where they are not, each by itself, for every division into chunks (D69)', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffXAAA NIÑO\r\nXAAB NI'),
      Buffer.from('ÑO T°\n', 'latin1'),
      Buffer.from('\nXAAC ESTACIÓN\n'),
      Buffer.from([0x58, 0xff]),
    ]);
    const lines = ['XAAA NIÑO', 'XAAB NIÑO T°', '', 'XAAC ESTACIÓN', 'Xÿ'];
    for (let at = 0; at <= bytes.length; at += 1)
      assert.deepEqual(await read(bytes.subarray(0, at), bytes.subarray(at)), { lines, ended: false });
  });

  it('are none in an empty body; one that is not read to its end is closed', async () => {
    assert.deepEqual(await read(), { lines: [], ended: true });
    const body = Readable.from(Array(3).fill(Buffer.alloc(5000)));
    for await (const _ of (await peek(body)).all) break;
    assert.ok(body.destroyed);
  });
});

describe('CSV line (RFC 4180)', () => {
  it('parses values with and without quotes, commas and quotes inside quotes', () => {
    assert.deepEqual(parseCsvLine('"a","b, c",,"say ""hi""",d'), ['a', 'b, c', '', 'say "hi"', 'd']);
    assert.deepEqual(parseCsvLine('"a",'), ['a', '']);
    assert.deepEqual(parseCsvLine('"a":"b","c" d","e'), ['a:"b', 'c d', 'e']);
    assert.deepEqual(parseCsvLine('"a;";b;c;"d"', ';', 3), ['a;', 'b', 'c;"d"']);
    assert.deepEqual(parseCsvLine(''), ['']);
    assert.deepEqual(parseCsvLine('a,"b,c'), ['a', 'b,c']);
  });

  it('returns any values that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        const line = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
        assert.deepEqual(parseCsvLine(line), values);
      }),
    );
  });
});

const HEADERS = {
  iem: 'station,valid,metar\n',
  ncei: '"STATION","DATE","SOURCE","REPORT_TYPE","CALL_SIGN","REM"\n',
  ogimet: 'ESTACION,ANO,MES,DIA,HORA,MINUTO,PARTE\n',
  // Its files are binary and begin so.
  madis: 'CDF\x01',
} as const;

const PAGES: Readonly<Record<string, (header: string) => string>> = {
  'around the header': (header) => `<!DOCTYPE html>\n<html><body><pre>\n${header}</pre></body></html>\n`,
  'after the header': (header) => `${header}<html><body>\n<p>Sorry</p>\n</body></html>\n`,
  'after the header, indented': (header) => `${header}  <html>\n  <p>Come back later</p>\n`,
  'before the header': (header) => `<html>\n<p>Sorry</p>\n</html>\n${header}`,
  'in one line with the header': (header) => `<p>Sorry</p> ${header}`,
};

describe('an HTML page that contains the start of the format', () => {
  for (const [name, header] of Object.entries(HEADERS))
    for (const [where, page] of Object.entries(PAGES))
      it(`is an invalid response, which makes no day done (D13): ${name}, ${where}`, async () => {
        const source = SOURCE_ADAPTERS[name as keyof typeof HEADERS]();
        assert.ok(source.kind === 'remote');
        const [firstDay, endDay] = ['2024-01-01' as Day, '2024-01-02' as Day];
        const slice = { source: source.source, station: 'KXYZ', firstDay, endDay };
        const body = (async function* () {
          yield Buffer.from(page(header), 'latin1');
        })();
        await assert.rejects(source.parse(body, slice, 1000), InvalidResponseError);
      });
});
