import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf } from '../engine/engine-directory.ts';
import { startLoader } from './loader-process.ts';

/** What is killed during the load, in random order. */
const KILLS = ['loader', 'loader', 'engine', 'engine'] as const;
/** A rejected request is left for the next run, so a load needs more runs than kills. */
const RUNS_AFTER_KILLS = 3;
/** Below the eight failures that are an outage, which has tests of its own. */
const FAULTS_IN_A_ROW = 3;

export type Scenario = {
  /** By the setting that gives the loader their address. */
  readonly sources: Readonly<Record<string, { readonly url: string; readonly requests: readonly unknown[] }>>;
  /** Arguments of a small load without faults: later slices are compared with its volume. */
  readonly firstLoad: string;
  /** Arguments of the load. */
  readonly load: string;
  readonly addFaults: () => void;
  /** Throws when a day is done whose reports are not stored. */
  readonly checkClaims: () => Promise<void>;
};

/**
 * Runs a load until it is complete, with faults of its sources, and with kills of the loader and the engine. The loader is
 * started again; the engine restarts by itself, and may be killed again before it is ready.
 */
export async function loadUnderFaults(
  dataDir: string,
  random: () => number,
  { sources, firstLoad, load, addFaults, checkClaims }: Scenario,
): Promise<void> {
  const urls = Object.entries(sources).map(([setting, { url }]) => [setting, url]);
  const env = { ...Object.fromEntries(urls), DATA_DIR: dataDir };
  const countRequests = () => Object.values(sources).reduce((sum, { requests }) => sum + requests.length, 0);
  const first = await startLoader(firstLoad, env).ended;
  assert.equal(first.code, 0, first.out);
  addFaults();
  const kills = shuffled(KILLS, random);
  for (let runs = 1; ; runs += 1) {
    assert.ok(runs <= KILLS.length + RUNS_AFTER_KILLS, 'the load does not complete');
    const loader = startLoader(load, env);
    let hasEnded = false;
    const ended = loader.ended.finally(() => {
      hasEnded = true;
    });
    for (let target = kills.shift(); target !== undefined; target = kills.shift()) {
      const requests = countRequests() + 1 + Math.floor(random() * 3);
      while (countRequests() < requests && !hasEnded) await sleep(5);
      await sleep(random() * 300);
      // The run ended before the kill, for instance after a rejected request: the next run gets it.
      if (hasEnded) kills.unshift(target);
      else if (target === 'engine') await killEngine(dataDir);
      else loader.kill('SIGKILL');
      if (hasEnded || target === 'loader') break;
    }
    const { code, out } = await ended;
    await retryWhileDown(checkClaims);
    if (code === 0) break;
    assert.ok(code === null || code === 3, out);
  }
  assert.deepEqual(kills, [], 'the load completed before all kills');
}

/** Every fault once, in random order, with a whole response after each few. */
export function faultSchedule<Fault extends string>(
  faults: Readonly<Record<Fault, string>>,
  random: () => number,
): readonly (Fault | 'none')[] {
  const names = shuffled(Object.keys(faults) as Fault[], random);
  return names.flatMap((fault, at) =>
    at % FAULTS_IN_A_ROW === FAULTS_IN_A_ROW - 1 ? [fault, 'none'] : [fault],
  );
}

/** Waits for an engine to kill, where the one before has just ended. */
async function killEngine(dataDir: string): Promise<void> {
  for (;;) {
    const record = await engineOf(dataDir);
    try {
      if (record !== undefined) return void process.kill(record.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(20);
  }
}

/** An engine that was killed restarts; a wrong claim stays wrong. */
async function retryWhileDown(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof assert.AssertionError || attempt === 60) throw error;
      await sleep(500);
    }
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
