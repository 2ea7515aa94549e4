import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { askEngine, lineOf, readRecordFile } from './engine-socket.ts';

const CHECK_MILLISECONDS = 2_000;
const ANSWER_MILLISECONDS = 5_000;
/** An engine that has not been well for this long is replaced. */
export const SILENCE_MILLISECONDS = 60_000;
/** A program that stops waits for its statements, but not longer than this for a frozen engine. */
const SILENCE_AT_STOP_MILLISECONDS = 5_000;
/**
 * A check without an answer takes 7 s, and more on a loaded machine. After a longer gap this process was suspended as
 * well, so the measurement starts again.
 */
const MAX_GAP_MILLISECONDS = 20_000;
const END_MILLISECONDS = 3_000;

/**
 * Ends the engine of `dataDir` when for `limit` milliseconds it has not answered, or has refused every statement for
 * lack of memory. Such an engine keeps its directory and its port, and does not recover by itself. Every program that
 * uses the engine or waits for it runs this check; its members then start a new one.
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
    await sleep(CHECK_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** Kills the process at the other end of an open connection, and waits until the kernel closes the connection. */
export async function endEngine(
  dataDir: string,
  connection: Socket,
  beforeEnd: (pid: number) => void = () => {},
): Promise<void> {
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
