import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '../../../../loader/decode.ts';
import { REPORTS } from '../../../fixtures/reports.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import {
  columnsFor,
  type FlatRecord,
  flatten,
  readArrow,
  readByDuckdb,
  readFlat,
} from '../../../support/archive/flat-records.ts';

/** Texts that a format has to escape, or that look like a part of it. */
const TEXTS = [
  'a "quoted" text, with commas, and "',
  '"',
  ',",",',
  ';|',
  'U+2028 \u2028 and U+2029 \u2029, NEL \u0085, BOM \uFEFF',
  'ümlaut, 雲, 🌧, e\u0301, \u00AD',
  'backslash \\ \\n \\" \\u0041 \\',
  "it's '' quoted",
  '","decoded":{"rvr":[],"clouds":[],',
  '{"rvr":[],"clouds":[],"decoded":{}}',
  ' leading and trailing ',
  '\\N NULL null NaN true =1+1',
  '',
];

/** The text of a report has no control characters (D5). */
const DECODED_TEXTS = [
  ...TEXTS,
  ';\t|',
  'first line\nsecond line\r\nthird line\r',
  '\u0001\u0007\b\f\u001F\u007F',
];

const START = Date.UTC(2024, 0, 1);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

const ALL = [
  ...TEXTS.map((raw, n) => report({ at: at(n), raw, fingerprint: `0000000${n.toString(16)}` })),
  ...REPORTS.map((raw, n) => report({ at: at(100 + n), raw, decoded: decode(raw).fields })),
  // Each text inside `decoded`, too.
  ...DECODED_TEXTS.map((trend, n) =>
    report({
      at: at(200 + n),
      raw: `TREND ${n}`,
      type: 'SPECI',
      decoded: { trend, wx: trend, cavok: false },
    }),
  ),
  report({ at: at(300), raw: 'NOT EXPLAINED', clean: false, decoded: { wspd_kt: 9, cavok: true } }),
  report({ at: at(301), raw: 'NOT DECODED', clean: false, decoder: 0, decoded: { cavok: true } }),
];

describe('the formats of the same records', () => {
  const api = useApi(() => startApiWithReports(ALL));

  const target = (extension: string, include: string) =>
    `${OBSERVATIONS}${extension}?stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z&include=${include}`;

  const get = (extension: string, include: string) => api.bytes(target(extension, include));

  /** The texts of the elements of `data`. */
  async function getLines(include: string): Promise<readonly string[]> {
    const text = (await get('', include)).toString();
    const data = text.slice('{"data":['.length, text.indexOf('],"meta":{"hasMore"'));
    const lines = data.replaceAll('},{"id":', '}\n{"id":').split('\n');
    assert.equal(lines.length, ALL.length);
    return lines;
  }

  it('are counted in the log line of their request', async () => {
    for (const extension of ['', '.ndjson', '.csv', '.parquet', '.arrow']) {
      const before = api.logLines.length;
      // Without texts that have line breaks, as no report has them.
      await get(extension, 'decoded&fields=temp_c');
      while (api.logLines.length === before) await sleep(5);
      const { event, records } = JSON.parse(api.logLines.at(-1) ?? '');
      assert.deepEqual([event, records], ['request', ALL.length], extension);
    }
  });

  async function getExpected(include: string): Promise<readonly FlatRecord[]> {
    return (await getLines(include)).map((line) => flatten(line, include));
  }

  /** A CSV field has no difference between an empty text and null, nor has `flatten`. */
  function assertRecords(actual: readonly FlatRecord[], expected: readonly FlatRecord[]): void {
    assert.deepEqual(
      actual.map((record) => Object.entries(record)),
      expected.map((record) => Object.entries(record)),
    );
  }

  for (const include of ['raw', 'decoded', 'raw,decoded']) {
    it(`NDJSON has the elements of data, byte for byte: ${include}`, async () => {
      const lines = await getLines(include);
      assert.equal((await get('.ndjson', include)).toString(), lines.map((line) => `${line}\n`).join(''));
    });

    it(`CSV, Parquet and Arrow have a column a field: ${include}`, async () => {
      const expected = await getExpected(include);
      const csv = await get('.csv', include);
      assert.match(csv.toString(), /^"id",[^\n]*\r\n/);
      const read = await readFlat((format) => get(`.${format}`, include));
      for (const rows of [...read, (await readByDuckdb(csv, 'read_csv')).rows]) assertRecords(rows, expected);
    });
  }

  it('NDJSON is read by DuckDB', async () => {
    const { rows } = await readByDuckdb(await get('.ndjson', 'raw'), 'read_ndjson');
    const rawOf = (records: readonly FlatRecord[]) => records.map(({ raw }) => raw);
    assert.deepEqual(rawOf(rows), rawOf(await getExpected('raw')));
  });

  it('Parquet and Arrow have the same types, with numbers to count with and nested lists', async () => {
    const { types } = await readByDuckdb(await get('.parquet', 'decoded'), 'read_parquet');
    assert.deepEqual(Object.keys(types), columnsFor('decoded'));
    const expected = {
      ...{ observedAt: 'TIMESTAMP WITH TIME ZONE', type: 'VARCHAR' },
      ...{ temp_c: 'DOUBLE', dewp_c: 'DOUBLE', wdir_vrb: 'BOOLEAN', visib_mod: 'VARCHAR' },
      rvr: 'STRUCT("rwy" VARCHAR, "min_m" INTEGER, "max_m" INTEGER, "min_ft" INTEGER, "max_ft" INTEGER, "mod" VARCHAR, "trend" VARCHAR)[]',
    };
    for (const [name, type] of Object.entries(expected)) assert.equal(types[name], type, name);
    const arrow = readArrow(await get('.arrow', 'decoded')).types;
    assert.deepEqual(Object.keys(arrow), columnsFor('decoded'));
    assert.deepEqual([arrow.observedAt, arrow.type], ['Timestamp<MICROSECOND, UTC>', 'Utf8']);
    assert.deepEqual([arrow.temp_c, arrow.dewp_c, arrow.cavok], ['Float64', 'Float64', 'Bool']);
    assert.match(arrow.clouds ?? '', /^List<Struct/);
  });
});
