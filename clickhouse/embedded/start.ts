import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { open, readdir, readFile, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programArguments } from '../process/typescript-program.ts';
import { type EngineRecord, readEngineFile } from './engine-file.ts';
import { findLibrary } from './foreign-functions.ts';
import { listenerAt } from './listener.ts';
import { fifoPath, openMembership } from './membership-fifo.ts';

export type EngineOptions = {
  readonly dataDir: string;
  /** Where an engine is started if none serves the directory yet: `EMBEDDED_CLICKHOUSE_PORT`. */
  readonly port: number;
  /** The users get rights on this database alone. */
  readonly database: string;
  /** `EMBEDDED_CLICKHOUSE_PASSWORD`: that of `history_admin`. Empty: `default` is admitted without one. */
  readonly adminPassword: string | undefined;
  /** The program stops: gives up joining. Once joined, `leave` ends the membership. */
  readonly signal?: AbortSignal;
  /** Milliseconds without an answer after which the engine is taken for frozen: a minute, less in a test. */
  readonly silenceLimit?: number;
  readonly log?: (line: string) => void;
};

/** An engine, and our write end of its FIFO. */
export type Membership = { readonly engine: EngineRecord; readonly writeEnd: number };

const PROGRAM = programArguments(new URL('./main.ts', import.meta.url));

/** Until it serves, an engine has no record by which another program could end it. */
const START_MILLISECONDS = 300_000;

const LEAVE_MILLISECONDS = 2_000;

/** The library has failed to start over a sound directory, once in some hundred starts. */
const START_ATTEMPTS = 3;

/** What ClickHouse says where another process has the lock of its path, or the port. */
const BUSY = /Another server instance in same directory|Address already in use/;

/**
 * Starts the process of an engine, which outlives ours, and becomes its first member. Throws where only the operator can
 * help; returns why it did not start where another engine is starting or ending, so that trying again helps.
 */
export async function startEngine(options: EngineOptions): Promise<Membership | string> {
  findLibrary();
  const { dataDir, port, log } = options;
  const before = await readdir(dataDir);
  const holder = await listenerAt(port);
  // An engine that ends may remove its FIFO after it answered.
  if ([...before, ...(await readdir(dataDir))].includes(basename(fifoPath(dataDir, holder))))
    return 'another program starts or ends it';
  if (holder !== 'nothing') {
    if (await leavesPort(holder, port)) return 'another program ends it';
    const by = holder === 'something else' ? holder : `the embedded ClickHouse ${holder} of another DATA_DIR`;
    throw new Error(
      `Port ${port} on 127.0.0.1 is already taken by ${by}: set EMBEDDED_CLICKHOUSE_PORT to a free port`,
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    const started = await runEngine(options);
    if (typeof started !== 'string' || BUSY.test(started)) return started;
    if (attempt === START_ATTEMPTS)
      throw new Error(
        `The embedded ClickHouse for ${dataDir} did not start, see ${logPathOf(dataDir)}: ${started}`,
      );
    log?.(`the embedded ClickHouse did not start (${started}); trying again`);
  }
}

/** An engine that ends has removed its FIFO and may answer for a moment longer. */
async function leavesPort(holder: string, port: number): Promise<boolean> {
  const deadline = performance.now() + LEAVE_MILLISECONDS;
  while (performance.now() < deadline) {
    if ((await listenerAt(port)) !== holder) return true;
    await sleep(200);
  }
  return false;
}

/** One start; returns why it failed. */
async function runEngine(options: EngineOptions): Promise<Membership | string> {
  const { dataDir, port, database, adminPassword, signal } = options;
  const instance = randomUUID();
  const logPath = logPathOf(dataDir);
  const output = await open(logPath, 'a', 0o600);
  const { size } = await output.stat();
  const child = spawn(process.execPath, [...PROGRAM, dataDir, `${port}`, instance], {
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    // A variable that is undefined is not set.
    env: { ...process.env, CLICKHOUSE_DATABASE: database, EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword },
  });
  child.unref();
  const exited = once(child, 'exit');
  exited.catch(() => {});
  await output.close();

  let writeEnd: number | undefined;
  const deadline = performance.now() + START_MILLISECONDS;
  while (!signal?.aborted && performance.now() < deadline && !(await Promise.race([exited, sleep(20)]))) {
    writeEnd ??= openMembership(fifoPath(dataDir, instance));
    const engine = await readEngineFile(dataDir);
    if (writeEnd !== undefined && engine?.instance === instance) return { engine, writeEnd };
  }
  if (writeEnd !== undefined) closeSync(writeEnd);
  child.kill('SIGKILL');
  signal?.throwIfAborted();
  const lines = (await readFile(logPath)).subarray(size).toString().trim().split('\n');
  const reason = lines.find((line) => line.includes('DB::Exception')) ?? lines.at(-1) ?? '';
  return reason === '' && (await isFull(dataDir)) ? 'no space left on device' : reason;
}

/** Not even the reason why an engine does not start can be written. */
async function isFull(dataDir: string): Promise<boolean> {
  const { bavail } = await statfs(dataDir);
  return bavail === 0;
}

function logPathOf(dataDir: string): string {
  return join(dataDir, 'engine.log');
}
