import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { type Peer, PeerNotInstalledError } from '../peer.ts';
import { openPostgresCsv } from './postgres-csv.ts';
import { pageReader } from './postgres-page.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** PostgreSQL with the rows in one table, with an index by station and time. */
export async function openPostgres(rows: string): Promise<Peer> {
  const pg = await import('pg').catch(() => {
    throw new PeerNotInstalledError('PostgreSQL is left out: the package pg is not installed.');
  });
  const server = await startPostgres(pg.default.Client);
  try {
    const { client } = server;
    await load(server, rows);
    const [{ version, bytes }] = (
      await client.query("SELECT version(), pg_total_relation_size('observations') AS bytes")
    ).rows;
    const csv = openPostgresCsv(server);
    return {
      name: 'postgres',
      version: String(version).replace(/ on .*/, ''),
      bytes: Number(bytes),
      page: pageReader(client),
      csv: csv.write,
      server: ['postgres', server.socketFolder],
      async close() {
        await csv.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function load({ client, bin, socketFolder }: PostgresServer, rows: string): Promise<void> {
  await createTable(client);
  const target = ['-h', socketFolder, '-U', 'bench', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  const copy = spawn(join(bin, 'psql'), [...target, '-qc', 'COPY observations FROM STDIN'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [[code]] = await Promise.all([
    once(copy, 'exit'),
    pipeline(createReadStream(rows), createGunzip(), copy.stdin),
  ]);
  if (code !== 0) throw new Error('COPY failed');
  await client.query('CREATE INDEX ON observations (station, observed_at, type)');
  await client.query('VACUUM (FREEZE, ANALYZE) observations');
}

async function createTable(client: Client): Promise<void> {
  await client.query(`CREATE TABLE observations (
    station text COLLATE "C" NOT NULL,
    observed_at timestamptz NOT NULL,
    type text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    clean boolean NOT NULL,
    raw text NOT NULL,
    decoded json NOT NULL)`);
}
