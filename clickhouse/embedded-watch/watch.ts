import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, readEngineFile } from '../embedded/engine-file.ts';
import { endProcess, isRunning } from './engine-process.ts';
import { tryLock } from './libc.ts';
import { answersPing } from './listener.ts';
import { measureSilence } from './silence.ts';

const PING_MILLISECONDS = 2_000;
const SILENT_MILLISECONDS = 60_000;
/** A program that stops waits for its statements: it does not wait longer for an engine that is frozen. */
const SILENT_AT_STOP_MILLISECONDS = 5_000;

/**
 * Ends the engine of `dataDir` when it does not answer `/ping` for a minute: a frozen process keeps its directory and its
 * port, and never ends by itself. Every member watches; the members then start an engine as after any end.
 */
export async function endFrozenEngines(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
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
    const limit = stopping?.aborted ? SILENT_AT_STOP_MILLISECONDS : SILENT_MILLISECONDS;
    if (engine && silent >= limit && !signal.aborted) await endUnderLock(dataDir, engine, silent, log);
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
