import { once } from 'node:events';
import { access, constants, realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../durable-file.ts';
import { ANSWER_MILLISECONDS, askEngine, engineAgent, lineOf, readRecordFile } from './engine-socket.ts';
import { requireFileLimits } from './open-files.ts';
import { type EngineOptions, type Membership, startEngine } from './start.ts';

export type JoinedEngine = Awaited<ReturnType<typeof joinEngine>>;

const RETRY_MILLISECONDS = 1_000;
/** An engine may take this long to open its directory or to release it. A frozen one is ended after a minute. */
const BUSY_MILLISECONDS = 120_000;

/** Replaces an engine that ends or hangs, on the same port and with the same users. Errors say what to do. */
export async function joinEngine(options: EngineOptions) {
  const { log = () => {}, silenceLimit = SILENCE_MILLISECONDS } = options;
  await prepareDataDir(options.dataDir);
  requireFileLimits();
  const dataDir = await realpath(options.dataDir);
  const leaving = new AbortController();
  const { signal } = leaving;
  const watching = endSilentEngines({ dataDir, log, silenceLimit }, signal, options.signal);
  let current: Membership | undefined = await findOrStart({ ...options, dataDir }).catch((error) => {
    leaving.abort();
    throw error;
  });
  const { port, users } = current.engine;
  if (port !== options.port) log(`the embedded ClickHouse of ${dataDir} serves on port ${port}`);
  const left = restartUntilWeLeave();

  async function restartUntilWeLeave(): Promise<void> {
    while (!signal.aborted) {
      const connection = current?.connection.unref();
      if (connection?.destroyed === false) await once(connection, 'close', { signal }).catch(() => {});
      if (signal.aborted) break;
      if (current) log('the embedded ClickHouse ended; starting it again');
      current = undefined;
      current = await findOrStart({ ...options, dataDir, port, signal }).catch((error) => {
        if (!signal.aborted) log(`cannot start the embedded ClickHouse again: ${error.message}`);
        return undefined;
      });
      if (current) log(`the embedded ClickHouse serves again on port ${current.engine.port}`);
      else await sleep(RETRY_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
    }
    await watching;
    if (current) await leaveEngine(dataDir, current);
  }

  /** Ends the membership. If this was the last member, resolves when the engine has stopped. */
  const leave = () => {
    leaving.abort();
    return left;
  };
  /** Its connections lead only to the engine. Send logins through this agent alone. */
  const openAgent = (connections: number) => engineAgent(dataDir, () => current?.engine, connections);
  return { url: `http://127.0.0.1:${port}`, users, openAgent, leave };
}

async function findOrStart(options: EngineOptions): Promise<Membership> {
  const { dataDir, signal, log } = options;
  const deadline = performance.now() + BUSY_MILLISECONDS;
  const starts = startEngine(options);
  for (let said = ''; ; ) {
    signal?.throwIfAborted();
    const found = (await findEngine(options)) ?? (await starts.next()).value;
    if (typeof found !== 'string') return found;
    if (performance.now() > deadline)
      throw new Error(`The embedded ClickHouse for ${dataDir} did not start: ${found}`);
    if (found !== said) log?.(`waiting for the embedded ClickHouse of ${dataDir}: ${found}`);
    said = found;
    await sleep(100);
  }
}

/** Undefined if no engine serves the directory; a reason if it does not answer. */
async function findEngine({ dataDir, database }: EngineOptions): Promise<Membership | string | undefined> {
  const connection = await askEngine(dataDir, 'join');
  const line = connection && (await lineOf(connection, ANSWER_MILLISECONDS));
  if (connection === undefined || connection.destroyed) return undefined;
  if (line === undefined) {
    connection.destroy();
    return `its process ${(await readRecordFile(dataDir))?.pid} does not answer`;
  }
  const engine = JSON.parse(line);
  if (engine.database === database) return { engine, connection };
  connection.destroy();
  throw new Error(
    `The embedded ClickHouse of ${dataDir} was started for database ${engine.database}: set CLICKHOUSE_DATABASE to ` +
      'that, or end the programs that use it',
  );
}

/** The engine closes the connection, or stops if that was the last one. An engine that does neither is frozen. */
async function leaveEngine(dataDir: string, { connection }: Membership): Promise<void> {
  if (connection.destroyed) return;
  const closed = once(connection.ref().end(), 'close', { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
  await closed.catch(() => endEngine(dataDir, connection));
  connection.destroy();
}

const CHECK_MILLISECONDS = 2_000;
/** An engine that has not been well for this long is replaced. */
const SILENCE_MILLISECONDS = 60_000;
/** A program that stops waits for its statements, but not longer than this for a frozen engine. */
const SILENCE_AT_STOP_MILLISECONDS = 5_000;
/** A check without an answer takes 7 s, and more on a loaded machine. After a longer gap this process was suspended too. */
const MAX_GAP_MILLISECONDS = 20_000;
const END_MILLISECONDS = 3_000;

/**
 * Ends the engine when for `silenceLimit` milliseconds it has not answered, or has refused every statement for lack of memory:
 * it keeps its directory and port, and does not recover. Every program that uses it or waits for it runs this check.
 */
async function endSilentEngines(
  { dataDir, log, silenceLimit }: Required<Pick<EngineOptions, 'dataDir' | 'log' | 'silenceLimit'>>,
  signal: AbortSignal,
  stopping?: AbortSignal,
): Promise<void> {
  const silence = measureSilence(performance.now());
  while (!signal.aborted) {
    const asked = await askEngine(dataDir, 'health').catch(() => undefined);
    const answer = asked && (await lineOf(asked, ANSWER_MILLISECONDS));
    const isWell = asked === undefined || asked.destroyed || answer === 'well';
    const silent = silence(isWell, performance.now());
    const limitNow = stopping?.aborted ? SILENCE_AT_STOP_MILLISECONDS : silenceLimit;
    if (asked && silent >= limitNow && !signal.aborted) {
      const why = answer ?? 'has not answered';
      await endEngine(dataDir, asked, (pid) =>
        log(`the embedded ClickHouse (process ${pid}) ${why} for ${Math.round(silent / 1000)} s; ending it`),
      );
      if (!asked.destroyed) log('the process of the embedded ClickHouse does not end: it waits for a disk');
    }
    asked?.destroy();
    await sleep(CHECK_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** Kills the process at the other end of an open connection, and waits until the kernel closes the connection. */
async function endEngine(dataDir: string, connection: Socket, beforeEnd: (pid: number) => void = () => {}) {
  const engine = await readRecordFile(dataDir);
  // While the connection is open the process exists, so no other process has its pid.
  if (connection.destroyed || engine === undefined) return;
  beforeEnd(engine.pid);
  const timeLimit = AbortSignal.timeout(END_MILLISECONDS);
  const closed = once(connection, 'close', { signal: timeLimit }).catch(() => {});
  try {
    process.kill(engine.pid, 'SIGKILL');
  } catch {
    // Another program has just ended it.
  }
  await closed;
}

/** After each check, returns for how long the engine has not been well. Times are from `performance.now()`, in ms. */
export function measureSilence(start: number): (isWell: boolean, now: number) => number {
  let wellAt = start;
  let checkedAt = start;
  return (isWell, now) => {
    if (isWell || now - checkedAt > MAX_GAP_MILLISECONDS) wellAt = now;
    checkedAt = now;
    return now - wellAt;
  };
}

/** @throws what to change where this process cannot create or use the folder of the embedded engine */
export async function prepareDataDir(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `DATA_DIR ${path} cannot be used: ${reason}. Set DATA_DIR to a folder that this user may write, on a disk with free space.`,
      { cause },
    );
  }
}
