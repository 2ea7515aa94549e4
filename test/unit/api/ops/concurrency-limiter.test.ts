import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import {
  type ConcurrencyLimits,
  createConcurrencyLimiter,
  QueueFullError,
} from '../../../../api/ops/concurrency-limiter.ts';

const NEVER = new AbortController().signal;
const neverStarted = () => assert.fail('The work was started');

const limiterOf = (limits: Partial<ConcurrencyLimits> & { readonly permits: number }) =>
  createConcurrencyLimiter({ maxQueuedBytes: 1000, queueTimeoutMs: 60_000, ...limits });

/** A claim of one permit, unless another number is given. */
const claim = (client: string, permits = 1, bytes = 1) => ({ client, permits, bytes });

/** Work that ends when `finish` is called. */
function openWork() {
  let finish = () => {};
  const work = () => new Promise<void>((resolve) => (finish = resolve));
  return { work, finish: () => finish() };
}

/** Runs work of clients that arrives in this order while one permit is in use; returns the order of its starts. */
async function orderOf(limiter: ReturnType<typeof limiterOf>, clients: readonly string[]): Promise<string> {
  const { work, finish } = openWork();
  const first = limiter.run(work, claim('first'), NEVER);
  const started: string[] = [];
  const runs = clients.map((client) => limiter.run(async () => started.push(client), claim(client), NEVER));
  finish();
  await Promise.all([first, ...runs]);
  return started.join('');
}

describe('concurrency limiter', () => {
  it('runs as much work as it has permits, the rest of one client in the order of arrival', async () => {
    const limiter = limiterOf({ permits: 2 });
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
          claim('a'),
          NEVER,
        ),
      ),
    );
    assert.deepEqual(started, [0, 1, 2, 3, 4]);
  });

  it('gives clients turns, not the order of arrival (D40)', async () => {
    assert.equal(await orderOf(limiterOf({ permits: 1 }), [...'aaaabbc']), 'abcabaa');
  });

  it('lets a client with one request wait for one turn of each other client at most', async () => {
    assert.equal(await orderOf(limiterOf({ permits: 1 }), [...'aaabbbc', 'd']), 'abcdabab');
  });

  it('lets one client have all permits while no other client waits', async () => {
    const limiter = limiterOf({ permits: 3 });
    const works = [openWork(), openWork(), openWork()];
    const runs = works.map(({ work }) => limiter.run(work, claim('a'), NEVER));
    for (const { finish } of works) finish();
    await Promise.all(runs);
  });

  it('gives a client no more permits than it may have, and passes over its work until then', async () => {
    const limiter = limiterOf({ permits: 2, permitsPerClient: 1 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const started: string[] = [];
    const second = limiter.run(async () => started.push('second of a'), claim('a'), NEVER);
    await limiter.run(async () => started.push('b'), claim('b'), NEVER);
    assert.deepEqual(started, ['b']);
    finish();
    await Promise.all([first, second]);
    assert.deepEqual(started, ['b', 'second of a']);
  });

  it('keeps permits that were acquired in use until they are released', async () => {
    const limiter = limiterOf({ permits: 1 });
    const release = await limiter.acquire(claim('a'), NEVER);
    const started: string[] = [];
    const next = limiter.run(async () => started.push('next'), claim('b'), NEVER);
    await sleep(5);
    assert.deepEqual(started, []);
    release();
    await next;
  });

  it('keeps a permit for another client that waits, however often the first client asks (D40)', async () => {
    const limiter = limiterOf({ permits: 2 });
    const works = [openWork(), openWork(), openWork()] as const;
    const [one, two, three] = works.map(({ work }) => limiter.run(work, claim('a'), NEVER));
    const b = openWork();
    const started: string[] = [];
    const ofB = limiter.run(
      () => {
        started.push('b');
        return b.work();
      },
      claim('b'),
      NEVER,
    );
    const otherOfB = limiter.run(async () => started.push('second of b'), claim('b'), NEVER);
    works[0].finish();
    await one;
    // It was the turn of a, but a has one of two permits and b waits.
    assert.deepEqual(started, ['b']);
    b.finish();
    await Promise.all([ofB, otherOfB]);
    assert.deepEqual(started, ['b', 'second of b']);
    works[1].finish();
    works[2].finish();
    await Promise.all([two, three]);
  });

  it('starts work that needs all permits although another client waits', async () => {
    const limiter = limiterOf({ permits: 2 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const started: string[] = [];
    const runs = [
      limiter.run(async () => started.push('large'), claim('b', 2), NEVER),
      limiter.run(async () => started.push('small'), claim('c'), NEVER),
    ];
    finish();
    await Promise.all([first, ...runs]);
    assert.deepEqual(started, ['large', 'small']);
  });

  it('rejects work that waits longer than the time limit of the queue, and no other', async () => {
    const limiter = limiterOf({ permits: 1, queueTimeoutMs: 20 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const started = performance.now();
    await assert.rejects(limiter.run(neverStarted, claim('a'), NEVER), QueueFullError);
    assert.ok(performance.now() - started > 15);
    finish();
    await first;
    assert.equal(await limiter.run(async () => 'next', claim('a'), NEVER), 'next');
  });

  it('rejects the newest work of the client with the most bytes when too many bytes wait (D40)', async () => {
    const limiter = limiterOf({ permits: 1, maxQueuedBytes: 100 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const rejected: string[] = [];
    const run = (name: string, client: string, bytes: number) =>
      limiter
        .run(async () => name, claim(client, 1, bytes), NEVER)
        .catch((error) => {
          assert.ok(error instanceof QueueFullError);
          rejected.push(name);
        });
    const runs = [run('b1', 'b', 10), run('a1', 'a', 40), run('a2', 'a', 40), run('b2', 'b', 30)];
    await sleep(1);
    assert.deepEqual(rejected, ['a2']);
    runs.push(run('c1', 'c', 90));
    await sleep(1);
    assert.deepEqual(rejected, ['a2', 'c1']);
    finish();
    await first;
    assert.deepEqual(await Promise.all(runs), ['b1', 'a1', undefined, 'b2', undefined]);
  });

  it('never rejects work for its number', async () => {
    const limiter = limiterOf({ permits: 1 });
    const never = () => new AbortController().signal;
    const runs = Array.from({ length: 500 }, (_, n) => limiter.run(async () => n, claim('a'), never()));
    assert.equal((await Promise.all(runs)).length, 500);
  });

  it('lets work wait for several permits, and later work of other clients wait behind it', async () => {
    const limiter = limiterOf({ permits: 2 });
    const events: string[] = [];
    const run = (name: string, permits: number) =>
      limiter.run(
        async () => {
          events.push(`${name} starts`);
          await sleep(2);
          events.push(`${name} ends`);
        },
        claim(name, permits),
        NEVER,
      );
    await Promise.all([run('one', 1), run('two', 2), run('one, later', 1), run('more than there are', 9)]);
    assert.deepEqual(
      events,
      ['one', 'two', 'one, later', 'more than there are'].flatMap((name) => [
        `${name} starts`,
        `${name} ends`,
      ]),
    );
  });

  it('starts the work behind queued work that is aborted', async () => {
    const limiter = limiterOf({ permits: 2 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const controller = new AbortController();
    const large = limiter.run(neverStarted, claim('a', 2), controller.signal);
    const small = limiter.run(async () => 'small', claim('a'), NEVER);
    controller.abort();
    await assert.rejects(large, { name: 'AbortError' });
    assert.equal(await small, 'small');
    finish();
    await first;
  });

  it('frees the bytes of work that is aborted', async () => {
    const limiter = limiterOf({ permits: 1, maxQueuedBytes: 1 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const controller = new AbortController();
    const aborted = limiter.run(neverStarted, claim('a'), controller.signal);
    controller.abort();
    await assert.rejects(aborted, { name: 'AbortError' });
    const next = limiter.run(async () => 'next', claim('a'), NEVER);
    finish();
    await first;
    assert.equal(await next, 'next');
  });

  it('returns the permit when the work fails', async () => {
    const limiter = limiterOf({ permits: 1 });
    for (let round = 0; round < 3; round += 1)
      await assert.rejects(
        limiter.run(() => Promise.reject(new Error('failed')), claim('a'), NEVER),
        /failed/,
      );
    assert.equal(await limiter.run(async () => 'result', claim('a'), NEVER), 'result');
  });

  it('runs work at once only where a permit stays free beside it, and no other work waits', async () => {
    const limiter = limiterOf({ permits: 3 });
    await assert.rejects(limiter.runNow(neverStarted, claim('a', 3)), QueueFullError);
    const spare = openWork();
    const running = limiter.runNow(spare.work, claim('a', 2));
    // The permit that is left goes to any other work, and not to more of this kind.
    await assert.rejects(limiter.runNow(neverStarted, claim('b')), QueueFullError);
    assert.equal(await limiter.run(async () => 'started', claim('b'), NEVER), 'started');
    const large = limiter.run(async () => 'started', claim('b', 3), NEVER);
    spare.finish();
    await assert.rejects(limiter.runNow(neverStarted, claim('a')), QueueFullError);
    assert.equal(await large, 'started');
    await running;
    assert.equal(await limiter.runNow(async () => 'started', claim('a', 2)), 'started');
  });
});
