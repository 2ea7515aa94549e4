import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type JS } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { DECODED_FIELDS, type Field } from '../../../clickhouse/model/fields.ts';
import { newFolder } from '../test-run.ts';

/** The value of each column of a format, as text; nothing where it is null. */
export type FlatRecord = Readonly<Record<string, string>>;

const BASE = ['id', 'station', 'observedAt', 'type', 'parseStatus'];
const LISTS: readonly string[] = DECODED_FIELDS.filter(isList).map(({ name }) => name);

/** The columns of every format for these representations, in order. */
export function columnsFor(include: string): readonly string[] {
  return [
    ...BASE,
    ...(include.includes('raw') ? ['raw'] : []),
    ...(include.includes('decoded') ? DECODED_FIELDS.map(({ name }) => name) : []),
  ];
}

/** An element of `data` with one value a column. */
export function flatten(line: string, include: string): FlatRecord {
  const { decoded = {}, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const values: Record<string, unknown> = { ...rest, ...(decoded as object) };
  return Object.fromEntries(columnsFor(include).map((name) => [name, toText(values[name])]));
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  // Of -0 `String` makes 0.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(shortest(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The shortest number that is the same Float32: readers return Float32 as a double. */
function shortest(value: number): number {
  if (Math.fround(value) !== value) return value;
  const precisions = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => Number(value.toPrecision(digits)));
  return precisions.find((rounded) => Math.fround(rounded) === value) ?? value;
}

/** By the library csv-parse, which refuses what RFC 4180 does not allow. */
export function readCsv(bytes: Buffer): readonly FlatRecord[] {
  return parse(bytes, { columns: true, record_delimiter: '\r\n' });
}

/** Asks DuckDB, which knows nothing of this program. */
export async function askDuckdb(query: string): Promise<readonly Readonly<Record<string, JS>>[]> {
  return (await runInDuckdb(query)).rows;
}

/** By DuckDB, which recognizes the types of a CSV file by itself. */
export async function readByDuckdb(
  bytes: Buffer,
  reader: 'read_csv' | 'read_parquet' | 'read_ndjson',
): Promise<{ readonly types: FlatRecord; readonly rows: readonly FlatRecord[] }> {
  const options = reader === 'read_csv' ? ', all_varchar = true' : '';
  const { types, rows } = await runInDuckdb(`SELECT * FROM ${reader}('${await fileOf(bytes)}'${options})`);
  return { types, rows: rows.map((row) => mapValues(row, (value) => fromDuckdb(value))) };
}

async function runInDuckdb(query: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const result = await connection.runAndReadAll(query);
    const types = result.columnNames().map((name, n) => [name, String(result.columnType(n))]);
    return { types: Object.fromEntries(types) as FlatRecord, rows: result.getRowObjectsJS() };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function fromDuckdb(value: JS): string {
  if (value instanceof Date) return toIso(value.getTime());
  if (Array.isArray(value)) return fromList(value as readonly object[]);
  return toText(value);
}

/** By apache-arrow. */
export function readArrow(bytes: Buffer): {
  readonly types: FlatRecord;
  readonly rows: readonly FlatRecord[];
} {
  const table = tableFromIPC(bytes);
  const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
  const rows = table.toArray().map((row) =>
    Object.fromEntries(
      table.schema.fields.map(({ name, type }) => {
        const value: unknown = row[name];
        if (value === null || value === undefined) return [name, ''];
        if (/^Timestamp/.test(String(type))) return [name, toIso(Number(value))];
        return [name, LISTS.includes(name) ? fromList(JSON.parse(JSON.stringify(value))) : toText(value)];
      }),
    ),
  );
  return { types, rows };
}

/** The rows of an answer by the reader of each flat format. */
export async function readFlat(
  bytesOf: (format: 'csv' | 'parquet' | 'arrow') => Promise<Buffer>,
): Promise<readonly (readonly FlatRecord[])[]> {
  const { rows } = await readByDuckdb(await bytesOf('parquet'), 'read_parquet');
  return [readCsv(await bytesOf('csv')), rows, readArrow(await bytesOf('arrow')).rows];
}

/** As JSON prints it: without the list where it is empty, and without the nulls of its items. */
function fromList(items: readonly object[]): string {
  const withoutNulls = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
  );
  return items.length === 0 ? '' : JSON.stringify(withoutNulls);
}

function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

function isList({ type }: Field): boolean {
  return typeof type === 'object' && 'items' in type;
}

function mapValues<V>(record: Readonly<Record<string, V>>, map: (value: V) => string): FlatRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** The path of a new file with these bytes. */
export async function fileOf(bytes: Buffer): Promise<string> {
  const file = join(newFolder(), 'file');
  await writeFile(file, bytes);
  return file;
}
