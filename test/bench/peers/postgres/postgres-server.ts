import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { PeerNotInstalledError } from '../peer.ts';

export type PostgresServer = {
  readonly client: Client;
  /** The folder of `psql`. */
  readonly bin: string;
  readonly socketFolder: string;
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL of Debian's package with a new directory and a Unix socket of its own, as a user other than root,
 * which PostgreSQL refuses.
 */
export async function startPostgres(PgClient: typeof Client): Promise<PostgresServer> {
  const bin = findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const options = { stdio: 'ignore', cwd: folder, ...user } as const;
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bench', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  );
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...settingArguments()], options);
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const client = await connect(PgClient, folder, server);
    return {
      client,
      bin,
      socketFolder: folder,
      async stop() {
        await client.end();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Debian installs each major version in a folder of its own, and not in the path. */
function findBinaries(): string {
  const out = execFileSync(
    'sh',
    ['-c', 'ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1'],
    {
      encoding: 'utf8',
    },
  );
  const newest = out.trim();
  if (newest === '')
    throw new PeerNotInstalledError(
      'PostgreSQL is left out: it is not installed (Debian: apt-get install -y postgresql).',
    );
  return newest;
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
async function connect(PgClient: typeof Client, host: string, server: ChildProcess): Promise<Client> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended during its start');
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
