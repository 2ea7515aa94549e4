import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { HISTORY, startApi, type TestApi } from '../../../support/api.ts';
import { emptyArchive } from '../../../support/archive.ts';
import { assertProblem } from '../../../support/problem.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

describe('the key store in Redis', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let redis: TestRedis;
  let api: TestApi;
  before(async () => {
    archive = await emptyArchive();
  });
  after(() => archive.close());
  beforeEach(async () => {
    redis = await startTestRedis();
    api = await startApi(archive.client, { redisUrl: redis.url });
  });
  afterEach(async () => {
    await api.stop();
    await redis.stop();
  });

  // The limit of D30 itself is the test's time limit: an answer that takes longer is none.
  const ask = (key?: string | null) =>
    fetch(`${api.url}${HISTORY}?x=1`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(1000),
    });

  async function recovers(key: string): Promise<void> {
    for (;;) {
      const response = await ask(key);
      if (response.status === 400) return;
      await assertProblem(response, 503, 'key_store_unavailable');
      await sleep(20);
    }
  }

  it('holds the fields of D26 under the hash of the key, and nowhere the key', async () => {
    const key = await api.createKey('starter');
    const client = new Redis(redis.url, { protocol: 2 });
    const fields = await client.hgetall(`apikey:${hashKey(key)}`);
    assert.deepEqual(Object.keys(fields).sort(), [
      'account',
      'createdAt',
      'id',
      'last4',
      'plan',
      'prefix',
      'status',
    ]);
    assert.deepEqual([fields.plan, fields.status, fields.last4], ['starter', 'active', key.slice(-4)]);
    assert.ok(!JSON.stringify([fields, await client.keys('*')]).includes(key));
    client.disconnect();
  });

  it('takes keys that others wrote, and none with a plan that is unknown', async () => {
    const client = new Redis(redis.url, { protocol: 2 });
    for (const [plan, status] of [
      ['professional', 400],
      ['platinum', 401],
    ] as const) {
      const key = generateKey();
      await client.hset(`apikey:${hashKey(key)}`, { id: 'x', plan, status: 'active' });
      assert.equal((await ask(key)).status, status);
    }
    client.disconnect();
  });

  for (const [how, take] of [
    ['stopped', () => redis.refuse()],
    ['silent', async () => redis.silence()],
  ] as const)
    it(`${how} is 503 within 1 s for everyone, and recovers without a restart (D30)`, async () => {
      const key = await api.createKey();
      assert.equal((await ask(key)).status, 400);
      await take();
      for (let round = 0; round < 6; round += 1)
        for (const presented of [key, null, 'garbage']) {
          const response = await ask(presented);
          await assertProblem(response, 503, 'key_store_unavailable');
          assert.equal(response.headers.get('retry-after'), '1');
          assert.deepEqual(
            [response.headers.get('x-ratelimit-limit'), response.headers.get('x-ratelimit-remaining')],
            ['10', '0'],
          );
        }
      await assertProblem(await api.get('/readyz', { key: null }), 503, 'key_store_unavailable');
      assert.equal((await api.get('/healthz', { key: null })).status, 200);
      await redis.restore();
      await recovers(key);
      assert.equal((await api.get('/readyz', { key: null })).status, 200);
    });

  it('that refuses to write is 503 too: nothing is served unmetered', async () => {
    const key = await api.createKey();
    const client = new Redis(redis.url, { protocol: 2 });
    await client.config('SET', 'maxmemory', '1');
    await assertProblem(await ask(key), 503, 'key_store_unavailable');
    await client.config('SET', 'maxmemory', '0');
    await recovers(key);
    client.disconnect();
  });

  it('that forgot its scripts goes on counting', async () => {
    const key = await api.createKey('starter');
    assert.equal((await ask(key)).status, 400);
    const client = new Redis(redis.url, { protocol: 2 });
    await client.script('FLUSH');
    const response = await ask(key);
    assert.equal(response.status, 400);
    assert.match(response.headers.get('x-ratelimit-remaining') ?? '', /^[89]$/);
    client.disconnect();
  });
});
