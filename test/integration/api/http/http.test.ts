import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../../../api/auth/api-key.ts';
import {
  OBSERVATIONS,
  QUERY,
  startApi,
  startApiWithoutArchive,
  startApiWithReports,
  useApi,
} from '../../../support/api/api.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/api/problem.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';

const PAGE = `${OBSERVATIONS}?${QUERY}`;

describe('HTTP responses (D31, D32)', () => {
  const api = useApi(() =>
    startApiWithReports(['2024-01-30T00:00:00Z', '2024-01-30T01:00:00Z'].map((at) => report({ at }))),
  );

  it('have Vary, and Cache-Control for the client only', async () => {
    const { headers } = await api.get(PAGE);
    assert.equal(headers.get('vary'), 'Accept, Accept-Encoding, Authorization');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  });

  it('have a weak entity tag that does not depend on the rate limit, and 304 for If-None-Match', async () => {
    const [first, second] = [await api.get(PAGE), await api.get(PAGE)];
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[^"]+"$/);
    assert.equal(second.headers.get('etag'), etag);
    for (const tags of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const unchanged = await api.get(PAGE, { headers: { 'if-none-match': tags } });
      assert.equal(unchanged.status, 304, tags);
      assert.equal(await unchanged.text(), '');
      assert.equal(unchanged.headers.get('etag'), etag);
      assertCommonHeaders(unchanged);
    }
    for (const other of ['"x"', 'W/"x"', etag.slice(3, -1)])
      assert.equal((await api.get(PAGE, { headers: { 'if-none-match': other } })).status, 200);
    await insert(api.archive, put(report({ at: '2024-01-30T02:00:00Z' })));
    const later = await startApi(api.archive);
    const changed = await later.get(PAGE, { headers: { 'if-none-match': etag } });
    assert.equal(changed.status, 200);
    await later.stop();
  });

  it('allow every origin, also in the response to a preflight, which is not counted', async () => {
    for (const path of [OBSERVATIONS, '/healthz', '/nowhere']) {
      const preflight = await api.get(path, {
        method: 'OPTIONS',
        key: null,
        headers: { origin: 'https://example.org', 'access-control-request-headers': 'authorization' },
      });
      assert.equal(preflight.status, 204);
      assertCommonHeaders(preflight);
      assert.equal(preflight.headers.get('x-ratelimit-limit'), '10');
      assert.equal(preflight.headers.get('x-ratelimit-remaining'), '0');
      const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
      // What libraries add by themselves, such as axios and the `cache: 'no-store'` of older browsers.
      for (const name of ['Authorization', 'Cache-Control', 'Content-Type'])
        assert.ok(allowed.includes(name), name);
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET/);
      assert.equal(preflight.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    }
  });

  it('of /healthz, /readyz and /metrics need no key and are not counted (D29, D32)', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      for (let round = 0; round < 11; round += 1) {
        const response = await api.get(path, { key: null });
        assert.equal(response.status, 200);
        assertCommonHeaders(response);
        assert.deepEqual(
          [response.headers.get('x-ratelimit-limit'), response.headers.get('x-ratelimit-remaining')],
          ['10', '0'],
        );
      }
  });

  it('of /readyz are 200 while the archive takes a second and a half to answer, as requests are (D32)', async () => {
    const busy = await startApi({ ...api.archive, ping: () => sleep(1500) });
    const { status } = await busy.get('/readyz', { key: null });
    await busy.stop();
    assert.equal(status, 200);
  });

  it('are logged on one line with the id and the plan of the key, and not with the key', async () => {
    const key = await api.createKey('starter');
    await api.get(`${PAGE}&x=${key}`, { key, headers: { 'x-request-id': 'logged-one' } });
    await api.get(`/${key}/${generateKey()}`, { key, headers: { 'x-request-id': key } });
    const lines = api.logLines.filter((line) => line.includes('"event":"request"'));
    const line = JSON.parse(lines.find((text) => text.includes('logged-one')) ?? '{}');
    assert.deepEqual(
      [line.method, line.path, line.status, line.code, line.plan, line.address],
      ['GET', OBSERVATIONS, 400, 'invalid_parameter', 'starter', '127.0.0.1'],
    );
    assert.ok(line.key.length > 0 && !key.includes(line.key));
    assert.ok(api.logLines.every((text) => !text.includes(key.slice(5, 20))));
  });
});

describe('METRICS_PORT', () => {
  const api = useApi(() => startApiWithoutArchive({ metricsPort: 0 }));

  it('serves the metrics on a port of their own, and no longer on the public one', async () => {
    await assertProblem(await api.get('/metrics'), 404, 'not_found');
    const response = await fetch(api.metricsUrl);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(
      await response.text(),
      /^history_requests_total\{endpoint="\w+",plan="professional",format="\w+",status="404",code="not_found"\} 1$/m,
    );
    assert.equal((await fetch(api.metricsUrl, { method: 'HEAD' })).status, 200);
  });

  it('serves nothing else there', async () => {
    assert.equal((await fetch(new URL('/v1/history/observations', api.metricsUrl))).status, 404);
    assert.equal((await fetch(api.metricsUrl, { method: 'POST' })).status, 405);
  });

  it('is released when the service stops', async () => {
    const other = await startApiWithoutArchive({ metricsPort: 0 });
    await other.stop();
    await assert.rejects(fetch(other.metricsUrl));
  });
});
