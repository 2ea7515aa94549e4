import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { COLUMNS, type Database, type Dialect, fastestOf, NotInstalledError } from './database.ts';

const DIALECT: Dialect = {
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
export async function openPostgres(rows: string): Promise<Database> {
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
      dialect: DIALECT,
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
