import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, readEngineFile } from '../embedded/engine-file.ts';
import { answersPing } from '../embedded/listener.ts';
import { endProcess, isRunning } from './engine-process.ts';
import { tryLock } from './libc.ts';
import { measureSilence } from './silence.ts';

const PING_MILLISECONDS = 2_000;
const SILENT_MILLISECONDS = 60_000;

/**
 * Ends the engine of `dataDir` when it does not answer `/ping` for a minute: a frozen process keeps its directory and its
 * port, and never ends by itself. Every member watches; the members then start an engine as after any end.
 */
export async function endFrozenEngines(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let watched: string | undefined;
  let silence = measureSilence(performance.now());
  while (!signal.aborted) {
    const engine = await readEngineFile(dataDir);
    if (engine?.instance !== watched) silence = measureSilence(performance.now());
    watched = engine?.instance;
    const isAnswered = engine === undefined || !isRunning(engine) || (await answersPing(engine.port, signal));
    if (engine && silence(isAnswered, performance.now()) >= SILENT_MILLISECONDS && !signal.aborted)
      await endUnderLock(dataDir, engine, log);
    await sleep(PING_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** One member ends it. The others find another record, or none, when they get the lock. */
async function endUnderLock(
  dataDir: string,
  engine: EngineRecord,
  log: (line: string) => void,
): Promise<void> {
  const unlock = tryLock(join(dataDir, 'engine.lock'));
  if (unlock === undefined) return;
  try {
    if ((await readEngineFile(dataDir))?.instance !== engine.instance || !isRunning(engine)) return;
    log(`the embedded ClickHouse (process ${engine.pid}) has not answered for a minute; ending it`);
    if (!(await endProcess(engine))) log(`process ${engine.pid} does not end: it waits for a disk`);
  } finally {
    unlock();
  }
}
