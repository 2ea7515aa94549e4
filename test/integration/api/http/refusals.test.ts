import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { OBSERVATIONS, QUERY, startApi, type TestApi, useApi } from '../../../support/api/api.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/api/problem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { openRelay } from '../../../support/relay.ts';

const leastOf = (waits: readonly { readonly milliseconds: number }[]) =>
  Math.min(...waits.map(({ milliseconds }) => milliseconds));

describe('problem responses (D24)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));

  it('400 invalid_parameter names the parameter of each invalid value', async () => {
    for (const query of ['include', 'type=%ZZ', 'type=%ff%fe', 'include=%00'])
      assert.match(await api.refusal(`${OBSERVATIONS}?${QUERY}&${query}`), /^[a-z]+ .+$/, query);
  });

  it('401 missing_credentials and invalid_credentials have WWW-Authenticate', async () => {
    const missing = await api.get(`${OBSERVATIONS}?${QUERY}`, { key: null });
    await assertProblem(missing, 401, 'missing_credentials');
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="history"');
    const revoked = await api.createKey();
    const record = (await api.keys.list()).at(-1);
    await api.keys.change(record?.id ?? '', { status: 'revoked' });
    const details = new Set<string>();
    const wrong = ['', 'Bearer', 'Basic eDp5', 'Bearer x', `Bearer ${generateKey()}`, `Bearer ${revoked}`];
    for (const authorization of wrong) {
      const invalid = await api.get(`${OBSERVATIONS}?${QUERY}`, { key: null, headers: { authorization } });
      details.add((await assertProblem(invalid, 401, 'invalid_credentials')).detail);
      assert.equal(invalid.headers.get('www-authenticate'), 'Bearer realm="history", error="invalid_token"');
    }
    assert.equal(details.size, 1);
  });

  it('404 not_found is the response on every other path, also with another case or a final slash', async () => {
    for (const path of [
      ...[
        '/page',
        '/v1',
        '/v2/history/observations',
        `${OBSERVATIONS}/`,
        `${OBSERVATIONS}/x`,
        `${OBSERVATIONS}.xlsx`,
      ],
      ...['/V1/history/observations', '/healthz/', '/%00', '/..%2f'],
    ])
      await assertProblem(await api.get(path), 404, 'not_found');
  });

  it('405 method_not_allowed has Allow, on every path that exists', async () => {
    for (const path of [OBSERVATIONS, '/', '/healthz', '/readyz', '/metrics'])
      for (const method of ['POST', 'DELETE']) {
        const response = await api.get(path, { method });
        await assertProblem(response, 405, 'method_not_allowed');
        assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
      }
  });

  it('503 storage_unavailable is the response within 5 s while the storage does not respond, also to those who wait', async () => {
    const relay = await openRelay({ port: Number(new URL(archive.url).port), host: '127.0.0.1' });
    const { database } = archive;
    const relayed = openArchive({
      ...{ url: `http://127.0.0.1:${relay.port}`, username: 'default', password: '', database },
    });
    const frozen = await startApi(relayed, {
      queryLimits: { queryTimeoutSeconds: 30, queriesAtOnce: 1, streamsAtOnce: 1 },
    });
    const get = async () => {
      const started = performance.now();
      const response = await frozen.get(`${OBSERVATIONS}?${QUERY}`, { key: await frozen.createKey() });
      return { response, milliseconds: performance.now() - started };
    };
    assert.equal((await get()).response.status, 200);
    relay.silence();
    // A page in memory is served without the storage for a second.
    await sleep(1100);
    const waits = await Promise.all(Array.from({ length: 10 }, get));
    for (const { response, milliseconds } of waits) {
      await assertProblem(response, 503, 'storage_unavailable');
      // A query may take thirty seconds; on a busy machine a single answer may be late.
      assert.ok(milliseconds < 15_000, `${milliseconds} ms`);
    }
    assert.ok(leastOf(waits) < 10_000, `${leastOf(waits)} ms`);
    const refused = [await get(), await get(), await get()];
    for (const { response } of refused) await assertProblem(response, 503, 'storage_unavailable');
    // Those before have waited five seconds.
    assert.ok(leastOf(refused) < 2_500, `${leastOf(refused)} ms`);

    await relay.restore();
    await until(async () => (await get()).response.status === 200);
    await frozen.stop();
    await relayed.close();
    await relay.refuse();
  });

  it('500 internal shows the request id only, and is logged with its cause', async () => {
    const fail = () => Promise.reject(new Error('a defect'));
    const broken = await startApi({ ...archive.client, select: fail, stream: fail });
    const response = await broken.get(`${OBSERVATIONS}?${QUERY}`);
    const { detail, requestId } = await assertProblem(response, 500, 'internal');
    assert.equal(detail, 'Internal error. Quote the requestId when reporting it.');
    const line = broken.logLines.find((text) => text.includes('"request failed"')) ?? '';
    assert.ok(line.includes(requestId) && /a defect/.test(line), line);
    await broken.stop();
  });

  it('400 invalid_parameter is the response to a request body', async () => {
    const request = `GET ${OBSERVATIONS}?${QUERY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await api.createKey()}\r\n`;
    for (const body of [
      'Content-Length: 5\r\n\r\nhello',
      'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ])
      assert.match(await api.sendBytes(request + body), /^HTTP\/1\.1 400 [\s\S]*no request body/);
  });

  it('400 invalid_parameter is the response to several Host headers (RFC 9112, 3.2)', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n';
    assert.match(await api.sendBytes(request), /^HTTP\/1\.1 400 [\s\S]*several Host headers: send one/);
  });

  it('are sent in the order path, method, credentials, format, parameters, cursor (D25)', async () => {
    const withoutKey = { key: null };
    await assertProblem(await api.get('/nowhere?x=1', { ...withoutKey, method: 'POST' }), 404, 'not_found');
    for (const path of [OBSERVATIONS, ...['stations', 'coverage'].map((name) => `/v1/history/${name}`)]) {
      const refuse = async (status: number, code: string, options: Parameters<TestApi['get']>[1] = {}) =>
        assertProblem(await api.get(`${path}?x=1&cursor=x`, options), status, code);
      await refuse(405, 'method_not_allowed', { ...withoutKey, method: 'POST' });
      await refuse(401, 'missing_credentials', withoutKey);
      await refuse(406, 'not_acceptable', { headers: { accept: 'image/png' } });
      await refuse(400, 'invalid_parameter');
    }
    await assertProblem(await api.get(`${OBSERVATIONS}?${QUERY}&cursor=x`), 400, 'invalid_cursor');
  });

  it('have their headers and no body with HEAD', async () => {
    for (const [path, status] of [
      ['/nowhere', 404],
      [`${OBSERVATIONS}?x=1`, 400],
      [`${OBSERVATIONS}?${QUERY}`, 200],
    ] as const) {
      const response = await api.get(path, { method: 'HEAD' });
      assert.equal(response.status, status);
      assertCommonHeaders(response);
      assert.equal(await response.text(), '');
      assert.ok(Number(response.headers.get('content-length')) > 0);
    }
  });
});
