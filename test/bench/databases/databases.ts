import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { columnType, FIELD_COLUMNS } from '../../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS } from '../../../clickhouse/model/fields.ts';
import { DATABASE } from '../engine.ts';
import type { BenchArchive } from '../read/archive.ts';
import { formatMs, formatRatio, type Times } from '../results.ts';

/** Another database with a table `reports` of the same rows, asked through its own driver. */
export type Database = {
  readonly name: 'PostgreSQL' | 'DuckDB';
  readonly version: string;
  /** Statements that mean the same: all run the first time, then the fastest of them. */
  select(candidates: readonly string[]): Promise<readonly (readonly unknown[])[]>;
  readonly dialect: Dialect;
  /** Writes the rows of a statement to a file of the page cache, as CSV; returns its path. */
  writeCsv(statement: string): Promise<string>;
  close(): Promise<void>;
};

/** Where the SQL of the two databases differs. */
export type Dialect = {
  /** The time as `YYYYMMDDHHMM`, and as RFC 3339. */
  readonly minute: string;
  readonly time: string;
  readonly percentile: (column: string, share: number) => string;
  /** Forms of a page besides the plain one, for which there is no better plan in the other database. */
  readonly pageForms: (page: PageParts) => readonly string[];
  /** The first report of each station and hour of these rows, which have an `hour`. */
  readonly firstOfHour: (rows: string, columns: readonly string[]) => readonly string[];
};

type PageParts = {
  readonly columns: string;
  readonly stations: readonly string[];
  /** Conditions other than on the station. */
  readonly where: string;
  /** The order and the limit. */
  readonly order: string;
};

/** The benchmark runs without this database. */
class NotInstalledError extends Error {}

/** The columns of the file that both load, in this order, with types that both know. */
const COLUMNS = {
  station: 'VARCHAR',
  observed_at: 'TIMESTAMP',
  type: 'VARCHAR',
  fingerprint: 'VARCHAR',
  clean: 'BOOLEAN',
  raw: 'VARCHAR',
  decoded: 'VARCHAR',
  temp_c: 'FLOAT8',
  wdir: 'FLOAT8',
  wdir_vrb: 'BOOLEAN',
  wspd_kt: 'FLOAT8',
  fltcat: 'VARCHAR',
} as const;

/** Chooses the fastest of several statements the first time, each after a run that warms up. */
function fastestOf<T>(run: (statement: string) => Promise<T>) {
  const chosen = new Map<string, string>();
  const timeOf = async (statement: string) => {
    await run(statement);
    const started = performance.now();
    await run(statement);
    return { statement, ms: performance.now() - started };
  };
  return async (candidates: readonly string[]): Promise<T> => {
    const key = candidates.join();
    if (candidates.length > 1 && !chosen.has(key)) {
      const timed = [];
      for (const candidate of candidates) timed.push(await timeOf(candidate));
      chosen.set(key, timed.sort((a, b) => a.ms - b.ms)[0]?.statement ?? '');
    }
    return run(chosen.get(key) ?? candidates[0] ?? '');
  };
}

const POSTGRES_DIALECT: Dialect = {
  minute: "to_char(observed_at, 'YYYYMMDDHH24MI')",
  time: `to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  percentile: (column, share) => `percentile_cont(${share}) WITHIN GROUP (ORDER BY ${column})`,
  // Station by station, which the plan of a list does not do.
  pageForms: ({ columns, stations, where, order }) => [
    `SELECT ${columns} FROM unnest(ARRAY['${stations.join("','")}']) AS requested(code) CROSS JOIN LATERAL
      (SELECT * FROM reports WHERE station = code AND ${where} ${order}) AS found ${order}`,
  ],
  firstOfHour: (rows) => [
    `(SELECT DISTINCT ON (station, hour) * FROM ${rows} AS selected ORDER BY station, hour, observed_at) AS first`,
    `(SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY station, hour ORDER BY observed_at) AS number
      FROM ${rows} AS selected) AS numbered WHERE number = 1) AS first`,
  ],
};

/** Every value as the text that the server sends: nothing is parsed that is only printed again. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** PostgreSQL with the rows in one table, with an index by station and time. */
async function openPostgres(rows: string): Promise<Database> {
  const { folder, client, stop } = await startPostgres();
  const csv = join(folder, 'range.csv');
  const run = async (text: string) =>
    (await client.query<string[]>({ text, rowMode: 'array', types: AS_TEXT })).rows;
  try {
    const columns = Object.entries(COLUMNS).map(
      ([name, type]) => `${name} ${type === 'VARCHAR' ? 'text COLLATE "C"' : type}`,
    );
    await run(`CREATE TABLE reports (${columns.join(', ')})`);
    await run(`COPY reports FROM PROGRAM 'gunzip -c ${rows}'`);
    await run('CREATE INDEX ON reports (station, observed_at, type)');
    await run('VACUUM (FREEZE, ANALYZE) reports');
    const [[version = ''] = []] = await run('SELECT version()');
    return {
      name: 'PostgreSQL',
      version: version.replace(/ on .*/, ''),
      dialect: POSTGRES_DIALECT,
      select: fastestOf(run),
      async writeCsv(statement) {
        await run(`COPY (${statement}) TO '${csv}' WITH (FORMAT csv, HEADER)`);
        return csv;
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts PostgreSQL of Debian's package with a new directory and a Unix socket of its own, as a user other than root,
 * which PostgreSQL refuses.
 */
async function startPostgres() {
  const bin = findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const options = { stdio: 'ignore', cwd: folder, ...user } as const;
  const initial = ['-D', data, '-U', 'bench', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), initial, options);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...settingArguments()], options);
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const client = await connect(folder, server);
    const close = async () => {
      await client.end();
      await stop();
    };
    return { folder, client, stop: close };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Debian installs each major version in a folder of its own, and not in the path. */
function findBinaries(): string {
  const command = 'ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1';
  const newest = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim();
  if (newest !== '') return newest;
  throw new NotInstalledError(
    'PostgreSQL is left out: it is not installed (Debian: apt-get install -y postgresql).',
  );
}

/** The user of Debian's package, or else the user `nobody`. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

/** What PostgreSQL's manual recommends for a machine that serves nothing else. Nothing is written while pages are read. */
function settingArguments(): readonly string[] {
  const gigabytes = totalmem() / 2 ** 30;
  const settings = {
    listen_addresses: '',
    shared_buffers: `${Math.round(gigabytes / 4)}GB`,
    effective_cache_size: `${Math.round(gigabytes / 2)}GB`,
    work_mem: '256MB',
    maintenance_work_mem: '1GB',
    random_page_cost: '1.1',
    jit: 'off',
    fsync: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '8GB',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Waits at most 20 s for the server. */
async function connect(host: string, server: ChildProcess): Promise<pg.Client> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended during its start');
    const client = new pg.Client({ host, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch {
      await sleep(200);
    }
  }
  throw new Error('PostgreSQL does not answer');
}

const DUCKDB_DIALECT: Dialect = {
  minute: "strftime(observed_at, '%Y%m%d%H%M')",
  time: "strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ')",
  percentile: (column, share) => `quantile_cont(${column}, ${share})`,
  pageForms: () => [],
  firstOfHour(rows, columns) {
    // DuckDB 1.5 fails with an internal error where a window follows a long list of constants.
    const selected = rows.replace(/IN \((.*?)\)/, 'IN (SELECT unnest([$1]))');
    const first = columns.map((name) => `, arg_min_null(${name}, observed_at) AS ${name}`).join('');
    return [
      `(FROM ${selected} QUALIFY row_number() OVER (PARTITION BY station, hour ORDER BY observed_at) = 1)`,
      `(SELECT station, hour${first} FROM ${selected} GROUP BY station, hour)`,
    ];
  },
};

/** DuckDB in this process over one Parquet file, sorted by station and time, so that its statistics find a page. */
async function openDuckdb(rows: string): Promise<Database> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => {
    throw new NotInstalledError('DuckDB is left out: the package @duckdb/node-api is not installed.');
  });
  const folder = await mkdtemp(join(tmpdir(), 'bench-duckdb-'));
  const [file, csv] = [join(folder, 'reports.parquet'), join(folder, 'range.csv')];
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '6GB', temp_directory: folder });
  const connection = await instance.connect();
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  };
  const run = async (statement: string) => (await connection.runAndReadAll(statement)).getRows();
  try {
    const types = Object.entries(COLUMNS).map(([name, type]) => `'${name}': '${type}'`);
    await run("SET TimeZone = 'UTC'");
    await run(`COPY (FROM read_csv('${rows}', delim = '\\t', header = false, quote = '', escape = '', nullstr = '\\N',
      columns = {${types.join(', ')}})) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`);
    await run(`CREATE VIEW reports AS FROM '${file}'`);
    return {
      name: 'DuckDB',
      version: `DuckDB ${(await run('SELECT version()'))[0]?.[0]}`,
      dialect: DUCKDB_DIALECT,
      select: fastestOf(run),
      async writeCsv(statement) {
        await run(`COPY (${statement}) TO '${csv}' (FORMAT csv, HEADER)`);
        return csv;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

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
