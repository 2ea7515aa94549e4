import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { Moment } from '../../../../../clickhouse/concurrency.ts';
import { type CachedStates, withStates } from '../../../../../clickhouse/coverage/state/state-cache.ts';

const { signal } = new AbortController();
const statesOf = (moment: number): CachedStates => ({ states: new Map(), readAt: moment as Moment });

/** What is done, in order. The states in memory are those of moment 1, the current ones come when the work has been given a chance. */
async function run(inMemory: boolean, current: number | Error, failing: readonly number[] = []) {
  const steps: string[] = [];
  const cache = {
    recall: () => (inMemory ? statesOf(1) : undefined),
    async read() {
      steps.push('ask');
      await setImmediate();
      steps.push('know');
      if (current instanceof Error) throw current;
      return statesOf(current);
    },
  };
  const work = async ({ readAt }: CachedStates) => {
    steps.push(`work ${readAt}`);
    if (failing.includes(Number(readAt))) throw new Error(`failed ${readAt}`);
    return Number(readAt);
  };
  const discard = (result: number) => void steps.push(`discard ${result}`);
  const end = await withStates(cache, ['XAAA'], work, signal, discard).catch(({ message }) => message);
  return [...steps, end];
}

describe('work with the states of stations', () => {
  for (const [what, ran, expected] of [
    ['waits for states that are not in memory', run(false, 2), ['ask', 'know', 'work 2', 2]],
    ['begins before it is known that states are current', run(true, 1), ['ask', 'work 1', 'know', 1]],
    ['is done again with changed states', run(true, 2), ['ask', 'work 1', 'know', 'discard 1', 'work 2', 2]],
    ['is done again where it failed', run(true, 2, [1]), ['ask', 'work 1', 'know', 'work 2', 2]],
    ['fails with current states', run(true, 1, [1]), ['ask', 'work 1', 'know', 'failed 1']],
    [
      'fails with changed states',
      run(true, 2, [2]),
      ['ask', 'work 1', 'know', 'discard 1', 'work 2', 'failed 2'],
    ],
    [
      'is of no use where the changes cannot be read',
      run(true, new Error('no storage')),
      ['ask', 'work 1', 'know', 'discard 1', 'no storage'],
    ],
  ] as const)
    it(what, async () => assert.deepEqual(await ran, expected));
});
