import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Query } from '../../read/queries.ts';
import { COLUMNS } from '../export.ts';
import { type Peer, PeerNotInstalledError, recordOf } from '../peer.ts';
import { rangeConditions, statementOf } from './duckdb-page.ts';

const TYPES: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  station: 'VARCHAR',
  observed_at: 'TIMESTAMP',
  type: 'VARCHAR',
  fingerprint: 'VARCHAR',
  clean: 'BOOLEAN',
  raw: 'VARCHAR',
  decoded: 'VARCHAR',
};

/** DuckDB in this process over one Parquet file, sorted by station and time, so that its statistics find a page. */
export async function openDuckdb(rows: string): Promise<Peer> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => {
    throw new PeerNotInstalledError('DuckDB is left out: the package @duckdb/node-api is not installed.');
  });
  const folder = await mkdtemp(join(tmpdir(), 'bench-duckdb-'));
  const file = join(folder, 'observations.parquet');
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '6GB', temp_directory: folder });
  const connection = await instance.connect();
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const types = COLUMNS.map((name) => `'${name}': '${TYPES[name]}'`).join(', ');
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(`COPY (FROM read_csv('${rows}', delim = '\\t', header = false, quote = '', escape = '', columns = {${types}}))
      TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`);
    const version = (await connection.runAndReadAll('SELECT version()')).getRows()[0]?.[0];
    return {
      name: 'duckdb',
      version: `DuckDB ${version}`,
      bytes: (await stat(file)).size,
      page: (query) => readPage(connection, file, query),
      csv: (query, onChunk) => writeCsv(connection, file, join(folder, 'range.csv'), query, onChunk),
      server: ['duckdb', file],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readPage(
  connection: DuckDBConnection,
  file: string,
  query: Query,
): Promise<readonly string[]> {
  const { include } = query.filters;
  const reader = await connection.runAndReadAll(statementOf(file, query, columnsOf(query), query.limit + 1));
  const [raw, decoded] = [include.indexOf('raw'), include.indexOf('decoded')];
  return reader
    .getRows()
    .slice(0, query.limit)
    .map(([station, observedAt, type, fingerprint, clean, ...included]) =>
      recordOf({
        station: String(station),
        observedAt: String(observedAt),
        type: String(type),
        fingerprint: String(fingerprint),
        clean: clean === true,
        raw: raw < 0 ? undefined : String(included[raw]),
        decoded: decoded < 0 ? undefined : String(included[decoded]),
      }),
    );
}

/** Writes to a file of the page cache: it is not synchronized with the disk. */
async function writeCsv(
  connection: DuckDBConnection,
  parquet: string,
  csv: string,
  { filters }: Query,
  onChunk?: (chunk: Buffer) => void,
): Promise<void> {
  await connection.run(`COPY (
    SELECT concat(station, '-', strftime(observed_at, '%Y%m%d%H%M'), '-', fingerprint) AS id, station,
      strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ') AS "observedAt", type, 'raw_only' AS "parseStatus", raw
    FROM '${parquet}'
    WHERE ${rangeConditions(filters).join(' AND ')}
    ORDER BY observed_at, station, type, fingerprint
  ) TO '${csv}' (FORMAT csv, HEADER)`);
  if (onChunk) for await (const chunk of createReadStream(csv)) onChunk(chunk);
}

function columnsOf({ filters: { include } }: Query): string {
  return `station, strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ'), type, fingerprint, clean, ${include.join(', ')}`;
}
