import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../durable-file.ts';
import { engineAgent } from './engine-agent.ts';
import { askEngine, lineOf, readRecordFile } from './engine-socket.ts';
import { endEngine, endSilentEngines, SILENCE_MILLISECONDS } from './silent-engine.ts';
import { type EngineOptions, type Membership, startEngine } from './start.ts';
import type { EngineUsers } from './users.ts';

export type JoinedEngine = {
  readonly url: string;
  readonly users: EngineUsers;
  /** Whose connections lead to the engine and nowhere else: a login goes through none but these. */
  openAgent(connections: number): Agent;
  /** Resolves when we are no member any more and, if we were the last one, when the engine released the directory. */
  leave(): Promise<void>;
};

const RETRY_MILLISECONDS = 1_000;
const ANSWER_MILLISECONDS = 5_000;
/** An engine may take this long to open its directory, or to release it. A frozen one is ended after a minute. */
const BUSY_MILLISECONDS = 120_000;

/**
 * Joins the engine that serves `dataDir`, or starts it. One directory has one engine: where one serves it already, it is
 * joined on its own port, whatever `port` says. While we are a member, an engine that is killed or frozen is
 * replaced, on the same port with the same users. Throws, with what to do about it, where no engine can be started.
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
  const left = stayUntilWeLeave();

  async function stayUntilWeLeave(): Promise<void> {
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

/** Becomes a member of the engine of `dataDir`, of a new one where none serves it. */
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

/** Undefined where no engine serves the directory; why it cannot be joined where one does. */
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

/** The engine closes the connection, or ends where it was the last one. One that is frozen is ended. */
async function leaveEngine(dataDir: string, { connection }: Membership): Promise<void> {
  if (connection.destroyed) return;
  const closed = once(connection.ref().end(), 'close', { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
  await closed.catch(() => endEngine(dataDir, connection));
  connection.destroy();
}
