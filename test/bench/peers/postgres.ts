import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Query } from '../read/queries.ts';
import { type Peer, PeerMissing, type Row, recordOf } from './peer.ts';

/**
 * PostgreSQL as Debian packs it, started here over a new directory, on a socket of its own, as a user that is not root
 * (it refuses root). Tuned as its manual advises for a machine that serves nothing else; nothing is written while it is read.
 */
export async function openPostgres(rows: string): Promise<Peer> {
  const bin = binaries();
  const { Client } = (
    await import('pg').catch(() => {
      throw new PeerMissing('PostgreSQL is left out: the package pg is not installed.');
    })
  ).default;
  const dir = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const user = process.getuid?.() === 0 ? nobody() : undefined;
  if (user) await chown(dir, user.uid, user.gid);
  await chmod(dir, 0o755);
  const data = join(dir, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    stdio: 'ignore',
    cwd: dir,
    ...user,
  });
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', dir, ...settings()], {
    stdio: 'ignore',
    cwd: dir,
    ...user,
  });
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit');
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const client = await connected(Client, dir, server);
    await load(bin, dir, rows, client);
    const [{ version, bytes }] = (
      await client.query("SELECT version(), pg_total_relation_size('observations') AS bytes")
    ).rows;
    return {
      name: 'postgres',
      version: String(version).replace(/ on .*/, ''),
      bytes: Number(bytes),
      page: pageReader(client),
      async close() {
        await client.end();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function binaries(): string {
  try {
    return execFileSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .replace(/^$/, () => {
        throw new Error('none');
      });
  } catch {
    throw new PeerMissing(
      'PostgreSQL is left out: it is not installed (Debian: apt-get install -y postgresql).',
    );
  }
}

/** The user that Debian's package makes, else nobody's. */
function nobody(): { uid: number; gid: number } {
  const ids = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  try {
    return { uid: ids('-u', 'postgres'), gid: ids('-g', 'postgres') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

function settings(): readonly string[] {
  const gigabytes = totalmem() / 2 ** 30;
  const values = {
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
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function connected(PgClient: typeof Client, host: string, server: ChildProcess): Promise<Client> {
  for (let patience = 100; patience > 0; patience -= 1) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended as it started');
    const client = new PgClient({ host, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch {
      await sleep(200);
    }
  }
  throw new Error('PostgreSQL does not answer');
}

async function load(bin: string, host: string, rows: string, client: Client): Promise<void> {
  await client.query(`CREATE TABLE observations (
    station text COLLATE "C" NOT NULL, observed_at timestamptz NOT NULL, type text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL, clean boolean NOT NULL, raw text NOT NULL, decoded json NOT NULL)`);
  const copy = spawn(
    join(bin, 'psql'),
    [
      '-h',
      host,
      '-U',
      'bench',
      '-d',
      'postgres',
      '-v',
      'ON_ERROR_STOP=1',
      '-qc',
      'COPY observations FROM STDIN',
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  createReadStream(rows).pipe(copy.stdin);
  const [code] = await once(copy, 'exit');
  if (code !== 0) throw new Error('COPY failed');
  await client.query('CREATE INDEX ON observations (station, observed_at, type)');
  await client.query('VACUUM (FREEZE, ANALYZE) observations');
}

/** Two ways to write it, of which the faster is taken query by query: in one, or station by station and then merged. */
function pageReader(client: Client): (query: Query) => Promise<readonly string[]> {
  const chosen = new Map<string, number>();
  const run = async (query: Query, form: number) => {
    const { text, values } = statement(query, form);
    const { rows } = await client.query<string[]>({ text, values, rowMode: 'array', types: AS_TEXT });
    return rows.slice(0, query.limit).map((row) => recordOf(rowOf(query, row)));
  };
  return async (query) => {
    let form = chosen.get(query.name);
    if (form === undefined) {
      const times: number[] = [];
      for (const candidate of [0, 1]) {
        await run(query, candidate);
        const started = performance.now();
        await run(query, candidate);
        times.push(performance.now() - started);
      }
      form = (times[1] ?? 0) < (times[0] ?? 0) ? 1 : 0;
      chosen.set(query.name, form);
    }
    return run(query, form);
  };
}

/** Every value as the text that the server sends: nothing is parsed that is only printed again. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

function statement({ filters, limit, after }: Query, form: number): { text: string; values: unknown[] } {
  const { include, type, stations } = filters;
  const columns = `station, to_char(observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), type, fingerprint, clean${include.includes('raw') ? ', raw' : ''}${include.includes('decoded') ? ', decoded' : ''}`;
  const values: unknown[] = [stations, new Date(filters.from), new Date(filters.to), limit + 1];
  const given = [
    'observed_at >= $2 AND observed_at < $3',
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ];
  if (after) {
    values.push(new Date(after.observedAt * 1000), after.station, after.type, after.fingerprint);
    given.push('observed_at >= $5 AND (observed_at, station, type, fingerprint) > ($5, $6, $7, $8)');
  }
  const order = 'ORDER BY observed_at, station, type, fingerprint LIMIT $4';
  const one = stations.length === 1 ? 'station = ($1::text[])[1]' : 'station = ANY($1::text[])';
  if (form === 0)
    return {
      text: `SELECT ${columns} FROM observations WHERE ${one} AND ${given.join(' AND ')} ${order}`,
      values,
    };
  return {
    text: `SELECT ${columns} FROM unnest($1::text[]) AS asked(code) CROSS JOIN LATERAL
      (SELECT * FROM observations WHERE station = code AND ${given.join(' AND ')} ${order}) AS each ${order}`,
    values,
  };
}

function rowOf({ filters }: Query, values: readonly string[]): Row {
  const [station = '', observedAt = '', type = '', fingerprint = '', clean, ...rest] = values;
  const raw = filters.include.includes('raw') ? rest.shift() : undefined;
  const decoded = filters.include.includes('decoded') ? rest.shift() : undefined;
  return { station, observedAt, type, fingerprint, clean: clean === 't', raw, decoded };
}
