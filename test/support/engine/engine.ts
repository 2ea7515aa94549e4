import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { type JoinedEngine, joinEngine } from '../../../clickhouse/embedded/join.ts';
import { atEndOfRun, folderOfRun, newFolder } from '../test-run.ts';

export type TestEngine = {
  readonly url: string;
  /** Stops the engine and removes its data. */
  stop(): Promise<void>;
};

/** The user `default` may do everything, in every database. */
export const OPEN_ENGINE = { database: 'history', adminPassword: '' } as const;

/** The engine of a data directory, on a free port. */
export async function joinOpenEngine(dataDir: string): Promise<JoinedEngine> {
  return joinEngine({ ...OPEN_ENGINE, dataDir, port: await freePort() });
}

/** The engine of a data directory with the logins of api, loader and administrator. */
export async function joinEngineWithLogins(dataDir: string, adminPassword?: string): Promise<JoinedEngine> {
  return joinEngine({ dataDir, port: await freePort(), database: OPEN_ENGINE.database, adminPassword });
}

/** An engine of its own over a new data directory. */
export async function startTestEngine(): Promise<TestEngine> {
  const dataDir = await newFolder();
  const engine = await joinOpenEngine(dataDir);
  return {
    url: engine.url,
    async stop() {
      await engine.leave();
    },
  };
}

let shared: Promise<JoinedEngine> | undefined;

/**
 * The url of the one engine of a run of tests: every process of the run joins it when its first test needs it. Tests own
 * databases in it. A test that kills, freezes or counts what the whole engine does starts one by `startTestEngine`.
 */
export async function sharedEngine(): Promise<string> {
  shared ??= joinOpenEngine(join(folderOfRun(), 'engine')).then((engine) => {
    atEndOfRun(engine.leave);
    return engine;
  });
  return (await shared).url;
}

/** A new, empty database with a name of its own; its name is what `CLICKHOUSE_DATABASE` takes. */
export async function createTestDatabase(url: string): Promise<string> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  const client = createClient({ url });
  try {
    await client.command({ query: `CREATE DATABASE ${database}` });
  } finally {
    await client.close();
  }
  return database;
}

/**
 * A port that nothing listens on. It is below those that the kernel gives to connections and to servers without a port of
 * their own: so none of them gets it before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
