import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEngineFile } from '../../clickhouse/embedded/engine-file.ts';
import { startLoader } from './replay-program.ts';

/** Killed under way, in any order. */
const VICTIMS = ['loader', 'loader', 'engine', 'engine'] as const;
/** A question that is refused for good is left for the next run. */
const RUNS_AFTER = 3;
/** Eight faults in a row would have the source left alone: tests of the breaker see to that. */
const IN_A_ROW = 3;

export type Backfill = {
  /** By the setting that points the loader there. */
  readonly sources: Readonly<Record<string, { readonly url: string; readonly requests: readonly unknown[] }>>;
  /** Loads a little in peace: what comes later is held against it. */
  readonly calm: string;
  readonly command: string;
  /** Lets the sources go wrong. */
  readonly night: () => void;
  /** Throws when something is claimed that is not there. */
  readonly claims: () => Promise<void>;
};

/**
 * Runs a command until nothing is left, while its sources misbehave and loader and engine are killed: the loader is
 * started again, the engine comes back by itself, and another may be killed before it has recovered.
 */
export async function comeThrough(dataDir: string, chance: () => number, backfill: Backfill): Promise<void> {
  const { sources, calm, command, night, claims } = backfill;
  const urls = Object.entries(sources).map(([setting, { url }]) => [setting, url]);
  const env = { ...Object.fromEntries(urls), DATA_DIR: dataDir };
  const asked = () => Object.values(sources).reduce((sum, { requests }) => sum + requests.length, 0);
  const first = await startLoader(calm, env).ended;
  assert.equal(first.code, 0, first.out);
  night();
  const victims = shuffled(VICTIMS, chance);
  for (let runs = 1; ; runs += 1) {
    assert.ok(runs <= VICTIMS.length + RUNS_AFTER, 'it comes to no end');
    const loader = startLoader(command, env);
    let over = false;
    const ended = loader.ended.finally(() => {
      over = true;
    });
    for (let victim = victims.shift(); victim !== undefined; victim = victims.shift()) {
      const enough = asked() + 1 + Math.floor(chance() * 3);
      while (asked() < enough && !over) await sleep(5);
      await sleep(chance() * 300);
      // It may have done what it could without what it was refused: then the next run has to suffer.
      if (over) victims.unshift(victim);
      else if (victim === 'engine') await killEngine(dataDir);
      else loader.kill('SIGKILL');
      if (over || victim === 'loader') break;
    }
    const { code, out } = await ended;
    await withPatience(claims);
    if (code === 0) break;
    assert.ok(code === null || code === 3, out);
  }
  assert.deepEqual(victims, [], 'not all were killed under way');
}

/** Every fault once, in any order. */
export function nightOf<Fault extends string>(
  faults: Readonly<Record<Fault, string>>,
  chance: () => number,
): readonly (Fault | 'none')[] {
  const names = shuffled(Object.keys(faults) as Fault[], chance);
  return names.flatMap((fault, at) => (at % IN_A_ROW === IN_A_ROW - 1 ? [fault, 'none'] : [fault]));
}

/** The engine may have gone a moment ago, with another on its way. */
async function killEngine(dataDir: string): Promise<void> {
  for (;;) {
    const record = await readEngineFile(dataDir);
    try {
      if (record !== undefined) return void process.kill(record.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(20);
  }
}

/** An engine that was just killed is back in a moment; a claim that is false stays false. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof assert.AssertionError || attempt === 60) throw error;
      await sleep(500);
    }
}

function shuffled<T>(values: readonly T[], chance: () => number): T[] {
  return values
    .map((value) => ({ value, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
