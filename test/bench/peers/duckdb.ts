import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Query } from '../read/queries.ts';
import { COLUMNS } from './export.ts';
import { type Peer, PeerNotInstalledError, recordOf } from './peer.ts';

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
  const reader = await connection.runAndReadAll(statementOf(file, query));
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

function statementOf(file: string, { filters, limit, after }: Query): string {
  const { stations, include, type } = filters;
  const time = (milliseconds: number) => `TIMESTAMP '${new Date(milliseconds).toISOString().slice(0, 19)}'`;
  const list = stations.map((station) => `'${station}'`).join();
  const conditions = [
    stations.length === 1 ? `station = ${list}` : `station IN (${list})`,
    `observed_at >= ${time(filters.from)} AND observed_at < ${time(filters.to)}`,
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ];
  if (after) {
    const afterTime = time(after.observedAt * 1000);
    const position = `(${afterTime}, '${after.station}', '${after.type}', '${after.fingerprint}')`;
    conditions.push(`observed_at >= ${afterTime}`);
    conditions.push(`(observed_at, station, type, fingerprint) > ${position}`);
  }
  return `SELECT station, strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ'), type, fingerprint, clean, ${include.join(', ')}
    FROM '${file}'
    WHERE ${conditions.join(' AND ')}
    ORDER BY observed_at, station, type, fingerprint
    LIMIT ${limit + 1}`;
}
