import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { askEngine, lineOf, readRecordFile } from './engine-socket.ts';

const LOOK_MILLISECONDS = 2_000;
const ANSWER_MILLISECONDS = 5_000;
/** An engine that does not serve for this time is replaced. */
export const SILENCE_MILLISECONDS = 60_000;
/** A program that stops waits for its statements: it does not wait longer for an engine that is frozen. */
const SILENCE_AT_STOP_MILLISECONDS = 5_000;
/**
 * A look that gets no answer takes 7 s, more on a loaded machine. A longer gap, such as that of a suspended machine,
 * starts the time of the engine anew.
 */
const MAX_GAP_MILLISECONDS = 20_000;
const END_MILLISECONDS = 3_000;

/**
 * Ends the engine of `dataDir` when for `limit` milliseconds it does not answer, or refuses every statement for lack of
 * memory: it keeps its directory and its port, and never recovers by itself. Every program that uses the engine, or
 * waits for it, watches; the members then start an engine as after any end.
 */
export async function endSilentEngines(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
  limit: number,
  stopping?: AbortSignal,
): Promise<void> {
  const silence = measureSilence(performance.now());
  while (!signal.aborted) {
    const asked = await askEngine(dataDir, 'health').catch(() => undefined);
    const answer = asked && (await lineOf(asked, ANSWER_MILLISECONDS));
    const isWell = asked === undefined || asked.destroyed || answer === 'well';
    const silent = silence(isWell, performance.now());
    const limitNow = stopping?.aborted ? SILENCE_AT_STOP_MILLISECONDS : limit;
    if (asked && silent >= limitNow && !signal.aborted) {
      const why = answer ?? 'has not answered';
      await endEngine(dataDir, asked, (pid) =>
        log(`the embedded ClickHouse (process ${pid}) ${why} for ${Math.round(silent / 1000)} s; ending it`),
      );
      if (!asked.destroyed) log('the process of the embedded ClickHouse does not end: it waits for a disk');
    }
    asked?.destroy();
    await sleep(LOOK_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** Ends the process at the other end of a connection that is open, and waits until the kernel closes it. */
export async function endEngine(
  dataDir: string,
  connection: Socket,
  beforeEnd: (pid: number) => void = () => {},
): Promise<void> {
  const engine = await readRecordFile(dataDir);
  // While the connection is open the process lives, and no other one has its pid.
  if (connection.destroyed || engine === undefined) return;
  beforeEnd(engine.pid);
  const closed = once(connection, 'close', { signal: AbortSignal.timeout(END_MILLISECONDS) });
  process.kill(engine.pid, 'SIGKILL');
  await closed.catch(() => {});
}

/** Tells after each look for how many milliseconds the engine has not been well. Times are those of `performance.now()`. */
export function measureSilence(start: number): (isWell: boolean, now: number) => number {
  let wellAt = start;
  let lookedAt = start;
  return (isWell, now) => {
    if (isWell || now - lookedAt > MAX_GAP_MILLISECONDS) wellAt = now;
    lookedAt = now;
    return now - wellAt;
  };
}
