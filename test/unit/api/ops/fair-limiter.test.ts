import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import {
  type Claim,
  FairLimiter,
  type FairLimits,
  QueueFullError,
} from '../../../../api/ops/fair-limiter.ts';
import { formatError } from '../../../../api/ops/log.ts';

const NEVER = new AbortController().signal;
const neverStarted = () => assert.fail('The work was started');

/** A limiter with the share of queries: while others wait, a client has at most all permits but one (D40). */
function limiterOf(limits: Partial<FairLimits> & { readonly permits: number }) {
  const { permits } = limits;
  const limiter = new FairLimiter({
    maxQueuedBytes: 1000,
    queueTimeoutMs: 60_000,
    permitsOfClient: ({ waiting }) => (waiting > 0 ? permits - 1 : permits),
    ...limits,
  });
  return {
    limiter,
    async run<T>(work: () => Promise<T>, claim: Claim, signal: AbortSignal): Promise<T> {
      const { release } = await limiter.acquire(claim, signal);
      return work().finally(release);
    },
  };
}

/** A claim of one permit, unless another number is given. */
const claim = (client: string, permits = 1, bytes = 1) => ({ client, permits, bytes });

/** Work that ends when `finish` is called. */
function openWork() {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return { work: () => finished, finish };
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

describe('fair limiter', () => {
  it('refuses without a stack, because many refusals are logged at once', () => {
    assert.equal(formatError(new QueueFullError('No permit')), 'QueueFullError: No permit');
  });

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
    const limiter = limiterOf({ permits: 2, permitsOfClient: () => 1 });
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

  it('keeps permits in use until they are released, once', async () => {
    const { limiter } = limiterOf({ permits: 1 });
    const lease = await limiter.acquire(claim('a'), NEVER);
    const started: string[] = [];
    const next = limiter.acquire(claim('b'), NEVER).then(() => started.push('next'));
    await sleep(5);
    assert.deepEqual([started, limiter.inUse, limiter.waiting], [[], 1, 1]);
    lease.release();
    lease.release();
    await next;
    assert.deepEqual([limiter.inUse, limiter.waiting], [1, 0]);
  });

  it('starts what fits when a lease becomes smaller, and lets others wait where it becomes larger', async () => {
    const { limiter } = limiterOf({ permits: 10 });
    const lease = await limiter.acquire(claim('a', 8), NEVER);
    const waiting = limiter.acquire(claim('b', 4), NEVER);
    lease.resize(6);
    const other = await waiting;
    lease.resize(9);
    assert.equal(limiter.inUse, 13);
    let isStarted = false;
    const last = limiter.acquire(claim('c', 1), NEVER).then(() => (isStarted = true));
    other.release();
    await sleep(1);
    assert.equal(isStarted, true);
    lease.release();
    await last;
    assert.equal(limiter.inUse, 1);
  });

  it('gives clients equal shares, of which one is left for a newcomer', async () => {
    const { limiter } = limiterOf({ permits: 90, permitsOfClient: ({ all }) => 90 / (all + 2) });
    const first = [];
    for (let n = 0; n < 4; n += 1) first.push(await limiter.acquire(claim('a', 10), NEVER));
    const more = limiter.acquire(claim('a', 10), NEVER);
    await limiter.acquire(claim('b', 30), NEVER);
    assert.equal(limiter.exceedsShare('a'), true, 'a has 40 of 90, and three clients could have 30 each');
    assert.equal(limiter.exceedsShare('b'), false);
    assert.deepEqual([limiter.inUse, limiter.waiting], [70, 1]);
    first[0]?.release();
    first[1]?.release();
    await more;
    assert.deepEqual([limiter.inUse, limiter.waiting], [60, 0]);
  });

  it('lets small claims pass a large one that does not fit yet, but not for longer than a second', async () => {
    const { limiter } = limiterOf({ permits: 10 });
    await limiter.acquire(claim('a', 6), NEVER);
    const begin = performance.now();
    const clock = mock.method(performance, 'now', () => begin);
    try {
      const large = limiter.acquire(claim('b', 6), NEVER);
      clock.mock.mockImplementation(() => begin + 900);
      const small = await limiter.acquire(claim('c', 2), NEVER);
      assert.deepEqual([limiter.inUse, limiter.shortage(500), limiter.shortage(5000)], [8, 4, 0]);
      clock.mock.mockImplementation(() => begin + 1100);
      const later = limiter.acquire(claim('d', 1), NEVER);
      small.release();
      await sleep(5);
      assert.deepEqual([limiter.inUse, limiter.waiting], [6, 2]);
      large.catch(() => {});
      later.catch(() => {});
    } finally {
      clock.mock.restore();
    }
  });

  it('counts the time that a client has waited before', async () => {
    const { limiter } = limiterOf({ permits: 1, queueTimeoutMs: 60_000 });
    await limiter.acquire(claim('a'), NEVER);
    const started = performance.now();
    const since = started - 59_990;
    await assert.rejects(limiter.acquire({ ...claim('b'), since }, NEVER), QueueFullError);
    assert.ok(performance.now() - started < 30_000);
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

  it('starts work that needs all permits although another client waits, once it has waited a second', async () => {
    const limiter = limiterOf({ permits: 2 });
    const { work, finish } = openWork();
    const first = limiter.run(work, claim('a'), NEVER);
    const started: string[] = [];
    const since = performance.now() - 1100;
    const runs = [
      limiter.run(async () => started.push('large'), { ...claim('b', 2), since }, NEVER),
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

  it('gives permits to idle work only where one stays free beside them, and no other work waits', async () => {
    const { limiter } = limiterOf({ permits: 3 });
    assert.equal(limiter.acquireIfIdle(claim('a', 3)), undefined);
    const spare = limiter.acquireIfIdle(claim('a', 2));
    assert.equal(limiter.acquireIfIdle(claim('b')), undefined);
    const other = await limiter.acquire(claim('b'), NEVER);
    const large = limiter.acquire(claim('c', 3), NEVER);
    spare?.release();
    assert.equal(limiter.acquireIfIdle(claim('a')), undefined, 'another client waits');
    other.release();
    (await large).release();
    assert.notEqual(limiter.acquireIfIdle(claim('a', 2)), undefined);
  });
});
