import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { columnType, FIELD_COLUMNS } from '../../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS } from '../../../clickhouse/model/fields.ts';
import { DATABASE } from '../engine.ts';
import type { BenchArchive } from '../read/archive.ts';
import { formatMs, formatRatio, type Times } from '../results.ts';
import { type Database, NotInstalledError } from './database.ts';
import { openDuckdb } from './duckdb.ts';
import { openPostgres } from './postgres.ts';

/** The databases that this machine has, with the rows of the archive, and a line for each that it lacks. */
export async function withDatabases<T>(
  archive: BenchArchive,
  work: (databases: readonly Database[], missing: readonly string[]) => Promise<T>,
): Promise<T> {
  // PostgreSQL reads the file as another user.
  const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
  await chmod(folder, 0o755);
  const databases: Database[] = [];
  const missing: string[] = [];
  try {
    const rows = join(folder, 'rows.tsv.gz');
    await exportRows(archive, rows);
    for (const open of [openPostgres, openDuckdb])
      try {
        databases.push(await open(rows));
      } catch (error) {
        if (!(error instanceof NotInstalledError)) throw error;
        missing.push(error.message);
      }
    return await work(databases, missing);
  } finally {
    for (const database of databases) await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const FIELDS = DECODED_FIELDS.flatMap(({ name }) => FIELD_COLUMNS.get(name) ?? []);
const TYPE = `Tuple(${FIELDS.map((field) => `${field.name} ${columnType(field)}`).join(', ')})`;
/** The decoded fields by name, which ClickHouse prints as an object. */
const DECODED = `CAST(tuple(${FIELDS.map(({ name }) => name).join(', ')}), '${TYPE.replaceAll("'", "\\'")}')`;
const SETTINGS =
  'output_format_json_quote_decimals=1&output_format_json_skip_null_value_in_named_tuples=1' +
  '&output_format_json_escape_forward_slashes=0&bool_true_representation=t&bool_false_representation=f';

/**
 * Every report once, station by station, as tab-separated text, which both databases read without conversion. It is
 * compressed: 100 million reports take 30 GB otherwise.
 */
async function exportRows({ engine, layout }: BenchArchive, path: string): Promise<void> {
  async function* rows() {
    for (const station of layout.stations.toSorted())
      yield* await engine.http.stream(
        `SELECT station, formatDateTime(observedAt, '%Y-%m-%d %H:%i:%S'), type,
          leftPad(lower(hex(fingerprint)), 8, '0'), clean, raw,
          replaceOne(replaceOne(toJSONString(${DECODED}), '"rvr":[],', ''), '"clouds":[],', ''),
          toFloat64(temp_c), toFloat64(wdir), wdir_vrb, toFloat64(wspd_kt), fltcat
        FROM ${DATABASE}.observations
        WHERE station = '${station}'
        ORDER BY station, observedAt, type
        FORMAT TSV`,
        SETTINGS,
      );
  }
  await pipeline(rows, createGzip({ level: 1 }), createWriteStream(path));
}

/** The medians of the databases, and their multiples of that of the service. */
export function comparedDatabases(
  databases: readonly Database[],
  times: Times,
  what: string,
  service: number,
): string {
  const texts = databases.map(({ name }) => {
    const ms = times.median(`${name} ${what}`);
    return `${name} ${formatMs(ms)} (${formatRatio(ms / service)})`;
  });
  return texts.join(', ');
}
