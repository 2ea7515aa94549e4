import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, readEngineFile } from './engine-file.ts';
import { endProcess, isRunning } from './engine-process.ts';
import { tryLock } from './foreign-functions.ts';
import { answersPing } from './listener.ts';

const PING_MILLISECONDS = 2_000;
/** After this time without an answer an engine counts as frozen. */
export const SILENCE_MILLISECONDS = 60_000;
/** A program that stops waits for its statements: it does not wait longer for an engine that is frozen. */
const SILENCE_AT_STOP_MILLISECONDS = 5_000;
/**
 * A ping that is not answered takes 7 s, more on a loaded machine. A longer gap, such as that of a suspended machine, starts
 * the time of the engine anew.
 */
const MAX_GAP_MILLISECONDS = 20_000;

/**
 * Ends the engine of `dataDir` when it does not answer `/ping` for `limit` milliseconds: a frozen process keeps its directory and its
 * port, and never ends by itself. Every member watches; the members then start an engine as after any end.
 */
export async function endFrozenEngines(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
  limit: number,
  stopping?: AbortSignal,
): Promise<void> {
  let watched: string | undefined;
  let silence = measureSilence(performance.now());
  while (!signal.aborted) {
    const engine = await readEngineFile(dataDir);
    if (engine?.instance !== watched) silence = measureSilence(performance.now());
    watched = engine?.instance;
    const isAnswered = engine === undefined || !isRunning(engine) || (await answersPing(engine.port, signal));
    const silent = silence(isAnswered, performance.now());
    const limitNow = stopping?.aborted ? SILENCE_AT_STOP_MILLISECONDS : limit;
    if (engine && silent >= limitNow && !signal.aborted) await endUnderLock(dataDir, engine, silent, log);
    await sleep(PING_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** One member ends it. The others find another record, or none, when they get the lock. */
async function endUnderLock(
  dataDir: string,
  engine: EngineRecord,
  silent: number,
  log: (line: string) => void,
): Promise<void> {
  const unlock = tryLock(join(dataDir, 'engine.lock'));
  if (unlock === undefined) return;
  try {
    if ((await readEngineFile(dataDir))?.instance !== engine.instance || !isRunning(engine)) return;
    const { pid } = engine;
    log(
      `the embedded ClickHouse (process ${pid}) has not answered for ${Math.round(silent / 1000)} s; ending it`,
    );
    if (!(await endProcess(engine))) log(`process ${pid} does not end: it waits for a disk`);
  } finally {
    unlock();
  }
}

/** Tells after each ping for how many milliseconds no ping has been answered. Times are those of `performance.now()`. */
export function measureSilence(start: number): (isAnswered: boolean, now: number) => number {
  let answeredAt = start;
  let pingedAt = start;
  return (isAnswered, now) => {
    if (isAnswered || now - pingedAt > MAX_GAP_MILLISECONDS) answeredAt = now;
    pingedAt = now;
    return now - answeredAt;
  };
}
