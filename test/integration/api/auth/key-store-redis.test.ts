import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { openRedis } from '../../../../api/redis.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

describe('key store in Redis', () => {
  const archive = useArchive();
  let redis: TestRedis;
  let api: TestApi;
  /** Not by way of the relay. */
  let client: Redis;
  beforeEach(async () => {
    redis = await startTestRedis();
    client = new Redis(redis.directUrl, { protocol: 2 });
    api = await startApi(archive.client, { redisUrl: redis.url });
  });
  afterEach(async () => {
    client.disconnect();
    await api.stop();
    await redis.stop();
  });

  // A later response fails the test: on a busy machine a single one may be later than the second of D30.
  const request = (key?: string | null) =>
    fetch(`${api.url}${OBSERVATIONS}?x=1`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(60_000),
    });

  const isReady = async () => (await api.get('/readyz', { key: null })).status === 200;
  async function waitForRecovery(key: string): Promise<void> {
    for (;;) {
      const response = await request(key);
      if (response.status === 400) return;
      await assertProblem(response, 503, 'key_store_unavailable');
      await sleep(20);
    }
  }

  it('holds the fields of D26 under the hash of the key, and not the key', async () => {
    const key = await api.createKey('starter');
    const fields = await client.hgetall(`apikey:${hashKey(key)}`);
    const names = ['account', 'createdAt', 'id', 'last4', 'plan', 'prefix', 'status'];
    assert.deepEqual(Object.keys(fields).sort(), names);
    assert.deepEqual([fields.plan, fields.status, fields.last4], ['starter', 'active', key.slice(-4)]);
    assert.ok(!JSON.stringify([fields, await client.keys('*')]).includes(key));
  });

  for (const [fault, interrupt] of [
    ['refuses connections', () => redis.refuse()],
    ['does not respond', async () => redis.silence()],
  ] as const)
    it(`gives every request 503 within 1 s while it ${fault}, and recovers without a restart (D30)`, async () => {
      const key = await api.createKey();
      await waitForRecovery(key);
      await interrupt();
      const waits: number[] = [];
      for (let round = 0; round < 4; round += 1)
        for (const sentKey of [key, null, 'garbage']) {
          const asked = performance.now();
          const response = await request(sentKey);
          waits.push(performance.now() - asked);
          await assertProblem(response, 503, 'key_store_unavailable');
          assert.equal(response.headers.get('retry-after'), '1');
          assert.deepEqual(
            [response.headers.get('x-ratelimit-limit'), response.headers.get('x-ratelimit-remaining')],
            ['10', '0'],
          );
        }
      // A busy machine delays some of them.
      const median = waits.sort((a, b) => a - b)[waits.length / 2] ?? Number.NaN;
      assert.ok(median < 1000, `${waits} ms`);
      await assertProblem(await api.get('/readyz', { key: null }), 503, 'key_store_unavailable');
      assert.equal((await api.get('/healthz', { key: null })).status, 200);
      await redis.restore();
      await waitForRecovery(key);
      await until(isReady);
    });

  for (const [fault, begin, end] of [
    [
      'is out of memory',
      () => client.config('SET', 'maxmemory', '1'),
      () => client.config('SET', 'maxmemory', '0'),
    ],
    ['is read-only', () => client.replicaof('127.0.0.1', 1), () => client.replicaof('NO', 'ONE')],
  ] as const)
    it(`gives 503 and is not ready while Redis ${fault}: no request is served uncounted`, async () => {
      const key = await api.createKey();
      await until(isReady);
      await begin();
      await assertProblem(await api.get('/readyz', { key: null }), 503, 'key_store_unavailable');
      for (const sentKey of [key, null, 'garbage'])
        await assertProblem(await request(sentKey), 503, 'key_store_unavailable');
      await assertProblem(await api.get('/readyz', { key: null }), 503, 'key_store_unavailable');
      assert.equal(await client.ping(), 'PONG');
      await end();
      await waitForRecovery(key);
      await until(isReady);
    });

  it('treats a damaged record as an unknown key, logs it once, and serves all others', async () => {
    // Another program wrote this one.
    const validKey = generateKey();
    await client.hset(`apikey:${hashKey(validKey)}`, { id: 'y', plan: 'professional', status: 'active' });
    const [otherType, otherFields] = [generateKey(), generateKey()];
    await client.set(`apikey:${hashKey(otherType)}`, 'text');
    await client.hset(`apikey:${hashKey(otherFields)}`, { id: 'x', plan: 'platinum', status: 'active' });
    for (let round = 0; round < 4; round += 1)
      for (const key of [otherType, otherFields])
        await assertProblem(await request(key), 401, 'invalid_credentials');
    assert.equal((await request(validKey)).status, 400);
    await assertProblem(await request(null), 401, 'missing_credentials');
    assert.equal((await api.get('/readyz', { key: null })).status, 200);
    const logged = api.logLines.map((line) => JSON.parse(line)).filter(({ event }) => /damaged/.test(event));
    assert.deepEqual(
      logged.map(({ level, record }) => [level, record]),
      [otherType, otherFields].map((key) => ['warn', `apikey:${hashKey(key)}`]),
    );
    assert.equal((await api.keys.list()).length, 2);
    assert.equal(await api.keys.change('x', { status: 'revoked' }), 0);
  });

  it('takes the answers that Redis sent while this process stood still', async () => {
    const stalled = openRedis(redis.directUrl);
    try {
      await once(stalled, 'ready');
      const answers = [stalled.ping(), stalled.ping()];
      await turn();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      assert.deepEqual(await Promise.all(answers), ['PONG', 'PONG']);
    } finally {
      stalled.disconnect();
    }
  });

  it('counts after Redis has lost its scripts', async () => {
    const key = await api.createKey('starter');
    assert.equal((await request(key)).status, 400);
    await client.script('FLUSH');
    const response = await request(key);
    assert.equal(response.status, 400);
    assert.match(response.headers.get('x-ratelimit-remaining') ?? '', /^[89]$/);
  });
});
