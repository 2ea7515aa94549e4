import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findLibrary } from './clickhouse-library.ts';
import { type EngineRecord, readEngineFile } from './engine-file.ts';
import { listenerAt } from './listener.ts';
import { fifoPath, openMembership } from './membership-fifo.ts';

export type EngineSettings = {
  readonly dataDir: string;
  /** 0: any free one. */
  readonly port: number;
  /** The users get rights on this database alone. */
  readonly database: string;
  /** `EMBEDDED_CLICKHOUSE_PASSWORD`: that of `history_admin`. Empty: `default` is admitted without one. */
  readonly adminPassword: string | undefined;
};

export type StartResult =
  | { readonly kind: 'started'; readonly engine: EngineRecord; readonly writeEnd: number }
  /** Another engine is starting or stopping: trying again may help. */
  | { readonly kind: 'busy'; readonly reason: string };

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** What ClickHouse says where another process has the lock of its path, or the port. */
const BUSY = /Another server instance in same directory|Address already in use/;

/**
 * Starts the process of an engine, which outlives ours, and becomes its first member. Its output goes to
 * `DATA_DIR/engine.log`. Throws where only the operator can help.
 */
export async function startEngine(
  { dataDir, port: wantedPort, database, adminPassword }: EngineSettings,
  signal: AbortSignal | undefined,
): Promise<StartResult> {
  findLibrary();
  const port = wantedPort || (await freePort());
  const holder = await portHolder(dataDir, port);
  if (holder === 'ours') return { kind: 'busy', reason: 'another program starts or stops it' };
  if (holder !== undefined)
    throw new Error(
      `Port ${port} on 127.0.0.1 is already taken by ${holder}: set EMBEDDED_CLICKHOUSE_PORT to a free port`,
    );
  const instance = randomUUID();
  const logPath = join(dataDir, 'engine.log');
  const output = await open(logPath, 'a', 0o600);
  const { size } = await output.stat();
  const { EMBEDDED_CLICKHOUSE_PASSWORD: _, ...environment } = process.env;
  const child = spawn(process.execPath, ['--import', TSX, MAIN, dataDir, String(port), instance], {
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: {
      ...environment,
      CLICKHOUSE_DATABASE: database,
      ...(adminPassword === undefined ? {} : { EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword }),
    },
  });
  child.unref();
  const exited = once(child, 'exit');
  exited.catch(() => {});
  await output.close();

  let writeEnd: number | undefined;
  for (;;) {
    if (signal?.aborted) {
      child.kill('SIGKILL');
      throw signal.reason;
    }
    if (await Promise.race([exited, sleep(20)])) break;
    writeEnd ??= openMembership(fifoPath(dataDir, instance));
    const engine = await readEngineFile(dataDir);
    if (writeEnd !== undefined && engine?.instance === instance) return { kind: 'started', engine, writeEnd };
  }
  const lines = (await readFile(logPath)).subarray(size).toString().trim().split('\n');
  const reason = lines.find((line) => line.includes('DB::Exception')) ?? lines.at(-1) ?? '';
  if (BUSY.test(reason)) return { kind: 'busy', reason };
  throw new Error(`The embedded ClickHouse for ${dataDir} did not start, see ${logPath}: ${reason}`);
}

async function portHolder(dataDir: string, port: number): Promise<string | undefined> {
  const listener = await listenerAt(port);
  if (listener.kind !== 'engine') return listener.kind === 'nothing' ? undefined : listener.kind;
  const { instance } = listener;
  return existsSync(fifoPath(dataDir, instance))
    ? 'ours'
    : `the embedded ClickHouse ${instance} of another DATA_DIR`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null)
    throw new Error('No port of the loopback address is free');
  return address.port;
}
