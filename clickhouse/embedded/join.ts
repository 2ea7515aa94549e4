import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomeMember, identify, leave, type Membership } from './member.ts';
import { readRecord } from './record.ts';
import { startEngine } from './start.ts';

export type JoinOptions = {
  readonly dataDir: string;
  /** Where an engine is started if none serves the directory yet; `EMBEDDED_CLICKHOUSE_PORT`. 0: any free one. */
  readonly port: number;
  /** Gives up joining; once joined, `leave` is the way out. */
  readonly signal?: AbortSignal;
  readonly log?: (line: string) => void;
};

export type JoinedEngine = {
  readonly url: string;
  /** Resolves when the engine no longer counts us; if we were the last, when it has let go of the directory. */
  leave(): Promise<void>;
};

/**
 * Joins the engine that serves `dataDir`, or starts it: whoever comes first starts it, later ones join, the last
 * to leave stops it. An engine that already serves the directory is joined where it is, whatever `port` says:
 * one directory has one engine, and a second program started with other settings should see the same records.
 * `url` holds as long as the membership: if the engine dies it is started again on the same port, and requests
 * made in between fail as they would against a stopped server.
 *
 * Throws, with what to do about it, when the port belongs to something else, or chDB is not installed.
 */
export async function joinEngine(options: JoinOptions): Promise<JoinedEngine> {
  const { log = () => {} } = options;
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const member = randomUUID();
  const leaving = new AbortController();

  let membership = await findOrStart(dataDir, options.port, member, options.signal);
  const { port } = membership;
  if (options.port !== 0 && port !== options.port)
    log(`joined the embedded ClickHouse that already serves ${dataDir} on port ${port}`);
  const kept = keep();

  async function keep(): Promise<void> {
    const left = once(leaving.signal, 'abort');
    for (;;) {
      await Promise.race([membership.lost, left]);
      if (leaving.signal.aborted) return;
      log('the embedded ClickHouse has gone; starting it again');
      try {
        membership = await findOrStart(dataDir, port, member, leaving.signal);
        log(`the embedded ClickHouse is back on port ${port}`);
      } catch (error) {
        if (leaving.signal.aborted) return;
        log(`cannot start the embedded ClickHouse again: ${error instanceof Error ? error.message : error}`);
        await Promise.race([sleep(1_000), left]);
      }
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    async leave() {
      leaving.abort();
      await kept;
      await leave(membership, member);
    },
  };
}

/** How long an engine may take to open its directory, or to let go of it. */
const patienceMs = 60_000;

async function findOrStart(
  dataDir: string,
  port: number,
  member: string,
  signal: AbortSignal | undefined,
): Promise<Membership> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    signal?.throwIfAborted();
    const running = await findEngine(dataDir, port);
    const membership = running && (await becomeMember(running, member));
    if (membership) return membership;
    // Found but not let in: it is stopping. Its directory is free in a moment.
    const failure = running ? 'it is still stopping' : await startEngine(dataDir, port, signal);
    if (failure !== undefined && Date.now() > deadline) {
      throw new Error(`The embedded ClickHouse for ${dataDir} did not start: ${failure}`);
    }
    if (failure !== undefined) await sleep(pauseMs, undefined, signal ? { signal } : {});
  }
}

/** The engine that serves this directory, by its record, or else on the port where it would be. */
async function findEngine(
  dataDir: string,
  port: number,
): Promise<{ port: number; instance: string } | undefined> {
  const record = await readRecord(dataDir);
  // A record can outlive its engine, and its port can belong to anything by now: what answers has to be the
  // very instance that wrote the record.
  if (record && (await identify(record.port))?.instance === record.instance) return record;
  const there = await identify(port);
  return there?.dataDir === dataDir ? { port, instance: there.instance } : undefined;
}
