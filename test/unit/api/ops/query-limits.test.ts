import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { createConcurrencyLimiter, QueueFullError } from '../../../../api/ops/concurrency-limiter.ts';
import { limitQueries } from '../../../../api/ops/query-limits.ts';

const here = new AbortController().signal;
const storage = (limits: { queriesAtOnce?: number; queryTimeoutSeconds?: number } = {}) =>
  limitQueries({ queriesAtOnce: 2, queryTimeoutSeconds: 30, ...limits });

describe('the gate', () => {
  it('runs so many at once, the others in the order they came', async () => {
    const gate = createConcurrencyLimiter({ places: 2, queue: 10, patienceMilliseconds: 60_000 });
    let running = 0;
    const started: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map((n) =>
        gate.pass(
          async () => {
            started.push(n);
            running += 1;
            assert.ok(running <= 2);
            await sleep(2);
            running -= 1;
          },
          1,
          here,
        ),
      ),
    );
    assert.deepEqual(started, [0, 1, 2, 3, 4]);
  });

  it('turns away who finds the queue full, and who has waited long enough', async () => {
    const gate = createConcurrencyLimiter({ places: 1, queue: 1, patienceMilliseconds: 10 });
    let finish = () => {};
    const first = gate.pass(() => new Promise<void>((resolve) => (finish = resolve)), 1, here);
    const second = gate.pass(async () => 'never', 1, here);
    await assert.rejects(
      gate.pass(async () => 'never', 1, here),
      QueueFullError,
    );
    await assert.rejects(second, QueueFullError);
    finish();
    await first;
    assert.equal(await gate.pass(async () => 'free', 1, here), 'free');
  });

  it('makes what takes several places wait for them, and what comes later wait behind it', async () => {
    const gate = createConcurrencyLimiter({ places: 2, queue: 10, patienceMilliseconds: 60_000 });
    const started: string[] = [];
    const work = (name: string) => async () => {
      started.push(`${name} begins`);
      await sleep(2);
      started.push(`${name} ends`);
    };
    await Promise.all([
      gate.pass(work('small'), 1, here),
      gate.pass(work('large'), 2, here),
      gate.pass(work('late'), 1, here),
      gate.pass(work('larger than the gate'), 9, here),
    ]);
    const expected = ['small', 'large', 'late', 'larger than the gate'].flatMap((name) => [
      `${name} begins`,
      `${name} ends`,
    ]);
    assert.deepEqual(started, expected);
  });

  it('lets who has gone leave the queue, and with them who waited only behind them', async () => {
    const gate = createConcurrencyLimiter({ places: 2, queue: 10, patienceMilliseconds: 60_000 });
    let finish = () => {};
    const first = gate.pass(() => new Promise<void>((resolve) => (finish = resolve)), 1, here);
    const gone = new AbortController();
    const large = gate.pass(async () => 'never', 2, gone.signal);
    const small = gate.pass(async () => 'small', 1, here);
    gone.abort();
    await assert.rejects(large, { name: 'AbortError' });
    assert.equal(await small, 'small');
    finish();
    await first;
  });

  it('frees the place in the queue of who has gone', async () => {
    const gate = createConcurrencyLimiter({ places: 1, queue: 1, patienceMilliseconds: 60_000 });
    let finish = () => {};
    const first = gate.pass(() => new Promise<void>((resolve) => (finish = resolve)), 1, here);
    const gone = new AbortController();
    const left = gate.pass(async () => 'never', 1, gone.signal);
    gone.abort();
    await assert.rejects(left, { name: 'AbortError' });
    const second = gate.pass(async () => 'next', 1, here);
    finish();
    await first;
    assert.equal(await second, 'next');
  });

  it('gives the place back when the work fails', async () => {
    const gate = createConcurrencyLimiter({ places: 1, queue: 0, patienceMilliseconds: 10 });
    for (let round = 0; round < 3; round += 1)
      await assert.rejects(
        gate.pass(() => Promise.reject(new Error('broken')), 1, here),
        /broken/,
      );
    assert.equal(await gate.pass(async () => 'free', 1, here), 'free');
  });
});

describe('asking the storage', () => {
  const failing = (error: Error) => storage()(() => Promise.reject(error), 1, here);
  const refused = (code: string) => new ClickHouseError({ message: 'so it is', code, type: 'X' });

  it('says 503 when it cannot be reached, and 503 or 504 when it gives up', async () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await assert.rejects(failing(lost), {
      code: 'storage_unavailable',
      status: 503,
      headers: { 'Retry-After': '2' },
    });
    await assert.rejects(failing(refused('202')), { code: 'overloaded', headers: { 'Retry-After': '1' } });
    await assert.rejects(failing(refused('159')), { code: 'query_timeout', status: 504 });
  });

  it('passes on what is a defect', async () => {
    const defect = refused('62');
    await assert.rejects(failing(defect), (error) => error === defect);
  });

  it('stops work that outlasts its time budget, and says 504', async () => {
    const slow = storage({ queryTimeoutSeconds: 0.01 });
    await assert.rejects(
      slow((signal) => sleep(60_000, undefined, { signal }), 1, here),
      { code: 'query_timeout' },
    );
  });

  it('stops work whose client has gone, and starts none for it', async () => {
    const gone = new AbortController();
    const work = storage()((signal) => sleep(60_000, undefined, { signal }), 1, gone.signal);
    gone.abort();
    await assert.rejects(work, { name: 'AbortError' });
    await assert.rejects(
      storage()(() => assert.fail('was started'), 1, gone.signal),
      { name: 'AbortError' },
    );
  });

  it('says 503 overloaded when too many wait (D24)', async () => {
    const ask = storage({ queriesAtOnce: 1 });
    const clients = Array.from({ length: 17 }, () => new AbortController());
    const waiting = clients.map((client) =>
      ask((signal) => sleep(60_000, undefined, { signal }), 1, client.signal).catch((error) => error.name),
    );
    await assert.rejects(
      ask(async () => 'never', 1, here),
      { code: 'overloaded', status: 503, headers: { 'Retry-After': '1' } },
    );
    for (const client of clients) client.abort();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['AbortError']));
  });
});
