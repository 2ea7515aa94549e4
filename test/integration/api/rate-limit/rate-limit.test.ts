import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { parseTrustedProxies } from '../../../../api/rate-limit/client-address.ts';
import { OBSERVATIONS, startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

/**
 * The responses to concurrent requests that one window of a second has counted. On a busy machine they can take longer than
 * that: then they are sent again, once no window counts any.
 */
async function concurrently<T>(times: number, send: (n: number) => Promise<T>): Promise<readonly T[]> {
  for (;;) {
    const started = performance.now();
    const responses = await Promise.all(Array.from({ length: times }, (_, n) => send(n)));
    if (performance.now() - started < 1000) return responses;
    await sleep(1100);
  }
}

const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status).sort();

for (const store of ['Redis', 'the process'] as const)
  describe(`rate limits counted in ${store} (D25–D29)`, () => {
    let redis: TestRedis | undefined;
    let api: TestApi;
    before(async () => {
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      const trustedProxies = parseTrustedProxies('127.0.0.1') ?? assert.fail();
      api = await startApiWithoutArchive({ trustedProxies, ...(redis && { redisUrl: redis.directUrl }) });
    });
    after(async () => {
      await api.stop();
      await redis?.stop();
    });

    /** An address of its own gives a test a full bucket. */
    const from = (address: string) => ({ 'x-forwarded-for': address });

    it('allow the requests per second of each plan, and refuse the next (D28)', async () => {
      for (const [plan, limit] of [
        ['sandbox', 1],
        ['starter', 10],
      ] as const) {
        const key = await api.createKey(plan);
        const responses = await concurrently(limit + 2, () => api.get('/nowhere', { key }));
        assert.deepEqual(statuses(responses), [...Array(limit).fill(404), 429, 429]);
        const remaining = responses.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
        assert.deepEqual(
          remaining.sort((a, b) => a - b),
          [0, 0, ...Array.from({ length: limit }, (_, n) => n)],
        );
        for (const response of responses) {
          assert.equal(response.headers.get('x-ratelimit-limit'), String(limit));
          if (response.status !== 429) continue;
          await assertProblem(response, 429, 'rate_limited');
          assert.equal(response.headers.get('retry-after'), '1');
          assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
        }
      }
    });

    it('are sent in the fields of the IETF draft too, with the same numbers', async () => {
      const key = await api.createKey('starter');
      for (const { headers } of await concurrently(12, () => api.get('/nowhere', { key }))) {
        assert.equal(headers.get('ratelimit-policy'), '"per-second";q=10;w=1');
        const remaining = headers.get('x-ratelimit-remaining');
        assert.equal(headers.get('ratelimit'), `"per-second";r=${remaining};t=1`);
      }
    });

    if (store === 'Redis')
      it('count a key across the instances of the service (D28)', async () => {
        const other = await startApiWithoutArchive({ redisUrl: redis?.directUrl ?? '' });
        const key = await api.createKey('starter');
        const responses = await concurrently(12, (n) => (n % 2 === 0 ? api : other).get('/nowhere', { key }));
        await other.stop();
        assert.deepEqual(statuses(responses), [...Array(10).fill(404), 429, 429]);
      });

    if (store === 'Redis')
      it('last a second after the clock of Redis has gone back by an hour', async () => {
        const admin = new Redis(redis?.url ?? '', { protocol: 2 });
        const key = await api.createKey('sandbox');
        // What the step leaves: Redis keeps the end of a window as a time of day.
        do await api.get('/nowhere', { key });
        while ((await admin.pexpire(`ratelimit:key:${hashKey(key)}`, 3_600_500)) === 0);
        admin.disconnect();
        const started = performance.now();
        const refused = await api.get('/nowhere', { key });
        await assertProblem(refused, 429, 'rate_limited');
        assert.equal(refused.headers.get('retry-after'), '1');
        while ((await api.get('/nowhere', { key })).status === 429) await sleep(50);
        assert.ok(performance.now() - started < 30_000);
      });

    it('count requests without a valid key by address, with 429 instead of 401 beyond 10 (D29)', async () => {
      const revoked = await api.createKey();
      const record = await api.keys.find(hashKey(revoked));
      await api.keys.change(record?.id ?? '', { status: 'revoked' });
      for (const [address, key] of [
        ['198.51.100.1', null],
        ['198.51.100.2', 'garbage'],
        ['198.51.100.3', revoked],
        ['198.51.100.4', generateKey()],
      ] as const) {
        const responses = await concurrently(11, () =>
          api.get(OBSERVATIONS, { key, headers: from(address) }),
        );
        assert.deepEqual(statuses(responses), [...Array(10).fill(401), 429], address);
        assert.ok(responses.every(({ headers }) => headers.get('x-ratelimit-limit') === '10'));
      }
    });
  });
