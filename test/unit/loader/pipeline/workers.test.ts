import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedMutex, runPool } from '../../../../loader/pipeline/workers.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';

describe('worker pool', () => {
  it('runs every item once, in order, with at most the given number at the same time', async () => {
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await runPool([1, 2, 3, 4, 5], 2, NO_LIMIT, async (item) => {
      started.push(item);
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
    });
    assert.deepEqual([started, most], [[1, 2, 3, 4, 5], 2]);
  });

  it('starts no further item after the stop signal and waits for those in progress', async () => {
    const stop = new AbortController();
    const finished: number[] = [];
    await runPool([1, 2, 3, 4], 2, stop.signal, async (item) => {
      if (item === 2) stop.abort();
      await sleep(5);
      finished.push(item);
    });
    assert.deepEqual(finished, [1, 2]);
  });

  it('starts no further item after a failure and waits for those in progress', async () => {
    const finished: number[] = [];
    const failing = runPool([1, 2, 3, 4], 2, NO_LIMIT, async (item) => {
      if (item === 1) throw new RangeError('a mistake');
      await sleep(5);
      finished.push(item);
    });
    await assert.rejects(failing, RangeError);
    assert.deepEqual(finished, [2]);
  });
});

describe('keyed mutex', () => {
  it('runs tasks of one key one after another, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} starts`);
      await sleep(5);
      order.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
    };
    const [first] = await Promise.allSettled([
      mutex.run('XAAA', task('first')),
      mutex.run('XAAA', task('second')),
    ]);
    assert.equal(first.status, 'rejected');
    assert.deepEqual(order, ['first starts', 'first ends', 'second starts', 'second ends']);
  });

  it('runs tasks of different keys at the same time', async () => {
    const mutex = new KeyedMutex();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const waiting = mutex.run('XAAA', () => released);
    await mutex.run('XAAB', async () => release());
    await waiting;
  });
});
