import { closeSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './engine-process.ts';
import { findOrStart, leaveEngine, type Membership } from './membership.ts';
import type { EngineSettings } from './start.ts';
import type { EngineUsers } from './users.ts';

export type JoinOptions = EngineSettings & {
  /** Gives up joining; once joined, `leave` ends the membership. */
  readonly signal?: AbortSignal;
  readonly log?: (line: string) => void;
};

export type JoinedEngine = {
  readonly url: string;
  readonly users: EngineUsers;
  /** Resolves when we are no member any more and, if we were the last one, when the engine released the directory. */
  leave(): Promise<void>;
};

const LOOK_MILLISECONDS = 250;
const RETRY_MILLISECONDS = 1_000;

/**
 * Joins the engine that serves `dataDir`, or starts it. One directory has one engine: where one serves it already, it is
 * joined on its own port, whatever `port` says. The last member to leave ends it.
 *
 * While we are a member, an engine that is killed is started again on the same port with the same users. Requests made
 * in between fail as they do against a server that is stopped.
 *
 * Throws, with what to do about it, when the port belongs to something else, or a package is missing.
 */
export async function joinEngine(options: JoinOptions): Promise<JoinedEngine> {
  const { log = () => {} } = options;
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const leaving = new AbortController();

  const first = await findOrStart({ ...options, dataDir }, log, options.signal);
  const { port } = first.engine;
  if (options.port !== 0 && port !== options.port)
    log(`joined the embedded ClickHouse that already serves ${dataDir} on port ${port}`);
  const last = keepRunning(first);

  /** Resolves with the membership to end, if there is one at the time. */
  async function keepRunning(membership: Membership): Promise<Membership | undefined> {
    while (isRunning(membership.engine)) {
      await pause(LOOK_MILLISECONDS);
      if (leaving.signal.aborted) return membership;
    }
    closeSync(membership.writeEnd);
    log('the embedded ClickHouse ended; starting it again');
    const next = await startAgain();
    if (next === undefined) return undefined;
    log(`the embedded ClickHouse serves again on port ${port}`);
    return keepRunning(next);
  }

  async function startAgain(): Promise<Membership | undefined> {
    while (!leaving.signal.aborted) {
      try {
        return await findOrStart({ ...options, dataDir, port }, log, leaving.signal);
      } catch (error) {
        if (leaving.signal.aborted) break;
        log(`cannot start the embedded ClickHouse again: ${error instanceof Error ? error.message : error}`);
        await pause(RETRY_MILLISECONDS);
      }
    }
    return undefined;
  }

  /** Being a member is no reason for a process to stay alive. */
  function pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { ref: false, signal: leaving.signal }).catch(() => {});
  }

  return {
    url: `http://127.0.0.1:${port}`,
    users: first.users,
    async leave() {
      leaving.abort();
      const membership = await last;
      if (membership !== undefined) await leaveEngine(dataDir, membership);
    },
  };
}
