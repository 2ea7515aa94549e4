import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { createConcurrencyLimiter, QueueFullError } from '../../../../api/ops/concurrency-limiter.ts';

const NEVER = new AbortController().signal;
const neverStarted = () => assert.fail('The work was started');

/** Work that ends when `finish` is called. */
function openWork() {
  let finish = () => {};
  const work = () => new Promise<void>((resolve) => (finish = resolve));
  return { work, finish: () => finish() };
}

describe('concurrency limiter', () => {
  it('runs as much work as it has permits, the rest in the order of arrival', async () => {
    const limiter = createConcurrencyLimiter({ permits: 2, maxQueued: 10, queueTimeoutMs: 60_000 });
    let running = 0;
    const started: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map((n) =>
        limiter.run(
          async () => {
            started.push(n);
            running += 1;
            assert.ok(running <= 2);
            await sleep(2);
            running -= 1;
          },
          1,
          NEVER,
        ),
      ),
    );
    assert.deepEqual(started, [0, 1, 2, 3, 4]);
  });

  it('rejects work when the queue is full', async () => {
    const limiter = createConcurrencyLimiter({ permits: 1, maxQueued: 1, queueTimeoutMs: 60_000 });
    const { work, finish } = openWork();
    const first = limiter.run(work, 1, NEVER);
    const second = limiter.run(async () => 'second', 1, NEVER);
    await assert.rejects(limiter.run(neverStarted, 1, NEVER), QueueFullError);
    finish();
    await first;
    assert.equal(await second, 'second');
  });

  it('rejects work that waits longer than the time limit of the queue', async () => {
    const limiter = createConcurrencyLimiter({ permits: 1, maxQueued: 1, queueTimeoutMs: 10 });
    const { work, finish } = openWork();
    const first = limiter.run(work, 1, NEVER);
    await assert.rejects(limiter.run(neverStarted, 1, NEVER), QueueFullError);
    finish();
    await first;
    assert.equal(await limiter.run(async () => 'next', 1, NEVER), 'next');
  });

  it('lets work wait for several permits, and later work wait behind it', async () => {
    const limiter = createConcurrencyLimiter({ permits: 2, maxQueued: 10, queueTimeoutMs: 60_000 });
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} starts`);
      await sleep(2);
      events.push(`${name} ends`);
    };
    await Promise.all([
      limiter.run(work('one permit'), 1, NEVER),
      limiter.run(work('two permits'), 2, NEVER),
      limiter.run(work('later, one permit'), 1, NEVER),
      limiter.run(work('more permits than there are'), 9, NEVER),
    ]);
    const names = ['one permit', 'two permits', 'later, one permit', 'more permits than there are'];
    assert.deepEqual(
      events,
      names.flatMap((name) => [`${name} starts`, `${name} ends`]),
    );
  });

  it('starts the work behind queued work that is aborted', async () => {
    const limiter = createConcurrencyLimiter({ permits: 2, maxQueued: 10, queueTimeoutMs: 60_000 });
    const { work, finish } = openWork();
    const first = limiter.run(work, 1, NEVER);
    const controller = new AbortController();
    const large = limiter.run(neverStarted, 2, controller.signal);
    const small = limiter.run(async () => 'small', 1, NEVER);
    controller.abort();
    await assert.rejects(large, { name: 'AbortError' });
    assert.equal(await small, 'small');
    finish();
    await first;
  });

  it('frees the place in the queue of work that is aborted', async () => {
    const limiter = createConcurrencyLimiter({ permits: 1, maxQueued: 1, queueTimeoutMs: 60_000 });
    const { work, finish } = openWork();
    const first = limiter.run(work, 1, NEVER);
    const controller = new AbortController();
    const aborted = limiter.run(neverStarted, 1, controller.signal);
    controller.abort();
    await assert.rejects(aborted, { name: 'AbortError' });
    const next = limiter.run(async () => 'next', 1, NEVER);
    finish();
    await first;
    assert.equal(await next, 'next');
  });

  it('returns the permit when the work fails', async () => {
    const limiter = createConcurrencyLimiter({ permits: 1, maxQueued: 0, queueTimeoutMs: 10 });
    for (let round = 0; round < 3; round += 1)
      await assert.rejects(
        limiter.run(() => Promise.reject(new Error('failed')), 1, NEVER),
        /failed/,
      );
    assert.equal(await limiter.run(async () => 'result', 1, NEVER), 'result');
  });
});
