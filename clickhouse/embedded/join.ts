import { closeSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../durable-file.ts';
import { isRunning } from './engine-process.ts';
import { endFrozenEngines, SILENCE_MILLISECONDS } from './frozen-engine.ts';
import { findOrStart, leaveEngine } from './membership.ts';
import { EngineAgent } from './proof.ts';
import type { EngineOptions, Membership } from './start.ts';
import { type EngineUsers, readUsers } from './users.ts';

export type JoinedEngine = {
  readonly url: string;
  readonly users: EngineUsers;
  /** Whose connections lead to the engine and nowhere else: a login goes through none but these. */
  openAgent(connections: number): Agent;
  /** Resolves when we are no member any more and, if we were the last one, when the engine released the directory. */
  leave(): Promise<void>;
};

const LOOK_MILLISECONDS = 250;
const RETRY_MILLISECONDS = 1_000;

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
  const watching = endFrozenEngines(dataDir, log, signal, silenceLimit, options.signal);
  const first = await findOrStart({ ...options, dataDir }).catch((error) => {
    leaving.abort();
    throw error;
  });
  const { port } = first.engine;
  if (port !== options.port)
    log(`joined the embedded ClickHouse that already serves ${dataDir} on port ${port}`);
  const users = await readUsers(dataDir);
  if (users === undefined) throw new Error(`The logins of the embedded ClickHouse are missing in ${dataDir}`);
  const left = restartUntilWeLeave().then(async (last) => {
    await watching;
    if (last) await leaveEngine(dataDir, last);
  });

  async function restartUntilWeLeave(): Promise<Membership | undefined> {
    for (let current: Membership | undefined = first; ; ) {
      const milliseconds = current ? LOOK_MILLISECONDS : RETRY_MILLISECONDS;
      await sleep(milliseconds, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return current;
      if (current && isRunning(current.engine)) continue;
      log('the embedded ClickHouse ended; starting it again');
      const next = await findOrStart({ ...options, dataDir, port, signal }).catch((error) => {
        if (!signal.aborted) log(`cannot start the embedded ClickHouse again: ${error.message}`);
        return undefined;
      });
      if (next) log(`the embedded ClickHouse serves again on port ${port}`);
      // Until now: a program that starts one in our place takes the port of an engine that has members.
      if (current) closeSync(current.writeEnd);
      current = next;
    }
  }

  const leave = () => {
    leaving.abort();
    return left;
  };
  const openAgent = (connections: number) =>
    new EngineAgent(dataDir, { keepAlive: true, maxSockets: connections });
  return { url: `http://127.0.0.1:${port}`, users, openAgent, leave };
}
