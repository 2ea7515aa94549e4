import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../durable-file.ts';
import { askEngine, engineAgent, lineOf, readRecordFile } from './engine-socket.ts';
import { endEngine, endSilentEngines, SILENCE_MILLISECONDS } from './silent-engine.ts';
import { type EngineOptions, type Membership, startEngine } from './start.ts';
import type { EngineUsers } from './users.ts';

export type JoinedEngine = {
  readonly url: string;
  readonly users: EngineUsers;
  /** Its connections lead only to the engine. Send logins through this agent alone. */
  openAgent(connections: number): Agent;
  /** Ends the membership. If this was the last member, resolves when the engine has stopped. */
  leave(): Promise<void>;
};

const RETRY_MILLISECONDS = 1_000;
const ANSWER_MILLISECONDS = 5_000;
/** An engine may take this long to open its directory or to release it. A frozen one is ended after a minute. */
const BUSY_MILLISECONDS = 120_000;

/**
 * Joins the engine that serves `dataDir`, or starts one. A directory has one engine: if one serves it already, its own
 * port counts, not `port`. While this program is a member, an engine that ends or hangs is replaced, on the same port
 * and with the same users. If no engine can be started, the error says what to do.
 */
export async function joinEngine(options: EngineOptions): Promise<JoinedEngine> {
  const { log = () => {}, silenceLimit = SILENCE_MILLISECONDS } = options;
  await makeFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const leaving = new AbortController();
  const { signal } = leaving;
  const watching = endSilentEngines(dataDir, log, signal, silenceLimit, options.signal);
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

  const leave = () => {
    leaving.abort();
    return left;
  };
  const openAgent = (connections: number) => engineAgent(dataDir, () => current?.engine, connections);
  return { url: `http://127.0.0.1:${port}`, users, openAgent, leave };
}

/** Becomes a member of the engine that serves `dataDir`, or of a new one. */
async function findOrStart(options: EngineOptions): Promise<Membership> {
  const { dataDir, signal, log } = options;
  const deadline = performance.now() + BUSY_MILLISECONDS;
  for (let said = ''; ; ) {
    signal?.throwIfAborted();
    const found = (await findEngine(options)) ?? (await startEngine(options));
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
