import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DATABASE } from '../embedded-engine.ts';
import { PeerNotInstalledError } from '../peers/peer.ts';
import { startPostgres } from '../peers/postgres/postgres-server.ts';
import type { BenchArchive } from '../read/archive.ts';
import type { FilteredWalk } from './filtered-walks.ts';
import type { BenchQuestion } from './questions.ts';

/** Another database with a table `reports` of the same rows. */
export type Database = {
  readonly name: string;
  /** Answers a question by its faster statement; the number of rows. */
  answer(question: BenchQuestion): Promise<number>;
  /** The reports of a walk, in order, by one statement; their number. */
  find(walk: FilteredWalk): Promise<number>;
  close(): Promise<void>;
};

const ROWS = `SELECT CAST(station, 'String') AS station, $time AS observed_at, CAST(type, 'String') AS type,
  toFloat64(temp_c) AS temp_c, toFloat64(wdir) AS wdir, wdir_vrb, toFloat64(wspd_kt) AS wspd_kt,
  CAST(fltcat, 'Nullable(String)') AS fltcat, raw
FROM ${DATABASE}.observations ORDER BY station, observedAt, type, fingerprint FORMAT `;

/** One Parquet file, sorted by station and time. */
async function openDuckdb({ engine }: BenchArchive): Promise<Database> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const folder = await mkdtemp(join(tmpdir(), 'bench-duckdb-'));
  const file = join(folder, 'reports.parquet');
  const time = "toDateTime64(observedAt, 3, 'UTC')";
  await pipeline(await engine.http.stream(`${ROWS.replace('$time', time)}Parquet`), createWriteStream(file));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(
    `CREATE VIEW reports AS SELECT * REPLACE (observed_at::TIMESTAMP AS observed_at) FROM '${file}'`,
  );
  const hour = "date_trunc('hour', observed_at + INTERVAL 10 MINUTE)";
  return {
    name: 'DuckDB',
    async answer(question) {
      // DuckDB 1.5 fails with an internal error where a window follows a long list of constants.
      const condition = conditionOf(question).replace(/IN \((.*?)\)/, 'IN (SELECT unnest([$1]))');
      const rows = `(SELECT *, ${hour} AS hour FROM reports WHERE ${condition})`;
      const window = `(FROM ${rows} QUALIFY row_number() OVER (PARTITION BY station, hour ORDER BY observed_at) = 1)`;
      const names = ['temp_c', 'wdir', 'wdir_vrb', 'wspd_kt', 'fltcat'].filter((name) =>
        `${question.values} ${question.groups}`.includes(name),
      );
      const first = names.map((name) => `, arg_min_null(${name}, observed_at) AS ${name}`).join('');
      const grouped = `(SELECT station, hour${first} FROM ${rows} GROUP BY station, hour)`;
      return fastest([window, grouped], async (sampled) => {
        const result = await connection.runAndReadAll(statementOf(question, sampled, question.values));
        return result.getRowObjectsJson().length;
      });
    },
    async find(walk) {
      return (await connection.runAndReadAll(walkStatement(walk))).getRowObjectsJson().length;
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    },
  };
}

/** A table with an index by station and time. */
async function openPostgres({ engine }: BenchArchive): Promise<Database> {
  const pg = await import('pg');
  const server = await startPostgres(pg.default.Client);
  const { client, bin, socketFolder } = server;
  await client.query(`CREATE TABLE reports (station text COLLATE "C", observed_at timestamp, type text COLLATE "C",
    temp_c float8, wdir float8, wdir_vrb boolean, wspd_kt float8, fltcat text COLLATE "C", raw text)`);
  const target = ['-h', socketFolder, '-U', 'bench', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  const copy = spawn(join(bin, 'psql'), [...target, '-qc', 'COPY reports FROM STDIN'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const time = "formatDateTime(observedAt, '%Y-%m-%d %H:%i:%S')";
  await Promise.all([
    once(copy, 'exit'),
    pipeline(await engine.http.stream(`${ROWS.replace('$time', time)}TSV`), copy.stdin),
  ]);
  await client.query('CREATE INDEX ON reports (station, observed_at)');
  await client.query('VACUUM (FREEZE, ANALYZE) reports');
  return {
    name: 'PostgreSQL',
    async answer(question) {
      const hour = "date_trunc('hour', observed_at + INTERVAL '10 minutes')";
      const rows = `(SELECT *, ${hour} AS hour FROM reports WHERE ${conditionOf(question)}) AS selected`;
      const distinct = `(SELECT DISTINCT ON (station, hour) * FROM ${rows} ORDER BY station, hour, observed_at) AS sampled`;
      const window = `(SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY station, hour ORDER BY observed_at) AS number FROM ${rows}) AS numbered WHERE number = 1) AS sampled`;
      const values = question.values.replace(
        /quantile_cont\((\w+), ([\d.]+)\)/,
        'percentile_cont($2) WITHIN GROUP (ORDER BY $1)',
      );
      return fastest([distinct, window], async (sampled) => {
        const statement = statementOf(question, sampled, values).replace(
          /\b(year|month|hour)\(hour\)/g,
          'extract($1 FROM hour)',
        );
        return (await client.query(statement)).rows.length;
      });
    },
    async find(walk) {
      return (await client.query(walkStatement(walk))).rows.length;
    },
    close: server.stop,
  };
}

/** The databases that this machine has, and a line for each that it lacks. */
export async function openDatabases(archive: BenchArchive) {
  const installed: Database[] = [];
  const missing: string[] = [];
  for (const open of [openDuckdb, openPostgres])
    try {
      installed.push(await open(archive));
    } catch (error) {
      if (!(error instanceof PeerNotInstalledError)) throw error;
      missing.push(error.message);
    }
  return { installed, missing };
}

function walkStatement({ stations, from, to, filter }: FilteredWalk): string {
  const list = stations.map((station) => `'${station}'`).join();
  return `SELECT station, observed_at, type, raw FROM reports WHERE station IN (${list})
    AND observed_at >= TIMESTAMP '${from} 00:00:00' AND observed_at < TIMESTAMP '${to} 00:00:00' AND ${filter}
    ORDER BY observed_at, station, type`;
}

function conditionOf({ stations, from, to }: BenchQuestion): string {
  const list = stations.map((station) => `'${station}'`).join();
  const [first, end] = [from, to].map((day) => `TIMESTAMP '${day} 00:00:00' - INTERVAL '10 minutes'`);
  return `station IN (${list}) AND type = 'METAR' AND observed_at >= ${first} AND observed_at < ${end}`;
}

function statementOf({ groups }: BenchQuestion, sampled: string, values: string): string {
  const keys = groups.map((_, n) => n + 2).join();
  return `SELECT station, ${groups.join(', ')}, count(*) AS n, ${values} FROM ${sampled} GROUP BY 1, ${keys}`;
}

const chosen = new Map<string, string>();

/** The first time all statements run, and the fastest is remembered. */
async function fastest(
  statements: readonly string[],
  run: (statement: string) => Promise<number>,
): Promise<number> {
  const key = statements.join();
  const known = chosen.get(key);
  if (known !== undefined) return run(known);
  let best = Number.POSITIVE_INFINITY;
  let rows = 0;
  for (const statement of statements) {
    const started = performance.now();
    rows = await run(statement);
    const ms = performance.now() - started;
    if (ms < best) chosen.set(key, statement);
    best = Math.min(best, ms);
  }
  return rows;
}
