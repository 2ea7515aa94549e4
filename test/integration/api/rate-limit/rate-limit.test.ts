import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { hashKey } from '../../../../api/auth/api-key.ts';
import { parseTrustedProxies } from '../../../../api/rate-limit/client-address.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { HISTORY, startApi, type TestApi } from '../../../support/api.ts';
import { assertProblem } from '../../../support/problem.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

/** Requests sent together: one window of a second counts them all. */
const together = <T>(times: number, ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, n) => ask(n)));

const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status).sort();

for (const store of ['Redis', 'the process'] as const)
  describe(`limits counted in ${store} (D25–D29)`, () => {
    // No query gets as far as the storage here.
    const archive = openArchive({
      url: 'http://127.0.0.1:1',
      username: 'default',
      password: '',
      database: 'none',
    });
    let redis: TestRedis | undefined;
    let api: TestApi;
    before(async () => {
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      const proxies = parseTrustedProxies('127.0.0.1');
      api = await startApi(archive, { ...(redis && { redisUrl: redis.url }), ...(proxies && { proxies }) });
    });
    after(async () => {
      await api.stop();
      await archive.close();
      await redis?.stop();
    });

    /** As if from an address of its own, for each test to begin with a full bucket. */
    const from = (address: string) => ({ 'x-forwarded-for': address });

    it('let each plan make its requests per second and refuse the next (D28)', async () => {
      for (const [plan, limit] of [
        ['sandbox', 1],
        ['starter', 10],
      ] as const) {
        const key = await api.createKey(plan);
        const responses = await together(limit + 2, () => api.get('/nowhere', { key }));
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

    it('count the key and not who uses it from where', async () => {
      const key = await api.createKey('sandbox');
      const responses = await together(3, (n) => api.get('/nowhere', { key, headers: from(`192.0.2.${n}`) }));
      assert.deepEqual(statuses(responses), [404, 429, 429]);
    });

    it('are full again in the next second', async () => {
      const key = await api.createKey('sandbox');
      const [first] = await together(2, () => api.get('/nowhere', { key }));
      assert.ok(first);
      for (;;) {
        const response = await api.get('/nowhere', { key });
        if (response.status === 404) break;
        assert.equal(response.status, 429);
      }
    });

    it('refuse before path, method, credentials and parameters are looked at (D25)', async () => {
      for (const [path, method] of [
        ['/nowhere', 'GET'],
        [HISTORY, 'POST'],
        [`${HISTORY}?x=1`, 'GET'],
      ] as const) {
        const key = await api.createKey('sandbox');
        const responses = await together(2, () => api.get(path, { key, method }));
        assert.ok(statuses(responses).includes(429), path);
      }
    });

    it('count whoever shows no valid key by address, with 429 instead of 401 beyond 10 (D29)', async () => {
      const revoked = await api.createKey();
      const record = await api.keys.find(hashKey(revoked));
      await api.keys.revoke(record?.id ?? '');
      for (const [address, key] of [
        ['198.51.100.1', null],
        ['198.51.100.2', 'garbage'],
        ['198.51.100.3', revoked],
      ] as const) {
        const responses = await together(11, () => api.get(HISTORY, { key, headers: from(address) }));
        assert.deepEqual(statuses(responses), [...Array(10).fill(401), 429], address);
        assert.ok(responses.every(({ headers }) => headers.get('x-ratelimit-limit') === '10'));
      }
    });

    it('count an IPv6 network of one subscriber as one client', async () => {
      const responses = await together(11, (n) =>
        api.get(HISTORY, { key: null, headers: from(`2001:db8:1:2::${n}`) }),
      );
      assert.deepEqual(statuses(responses), [...Array(10).fill(401), 429]);
      const neighbour = await api.get(HISTORY, { key: null, headers: from('2001:db8:1:3::1') });
      assert.equal(neighbour.status, 401);
    });

    it('are those of the new state on the request after a key was revoked (D26, D27)', async () => {
      const key = await api.createKey();
      assert.equal((await api.get(`${HISTORY}?x=1`, { key })).status, 400);
      const record = await api.keys.find(hashKey(key));
      await api.keys.revoke(record?.id ?? '');
      await assertProblem(
        await api.get(`${HISTORY}?x=1`, { key, headers: from('198.51.100.9') }),
        401,
        'invalid_credentials',
      );
    });
  });
