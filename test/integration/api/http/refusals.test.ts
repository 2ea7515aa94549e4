import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { migrate } from '../../../../clickhouse/migrate.ts';
import { HISTORY, QUERY, startApi, type TestApi } from '../../../support/api.ts';
import { createTestDatabase, startTestEngine, type TestEngine } from '../../../support/engine.ts';
import { assertEveryAnswer, assertProblem } from '../../../support/problem.ts';

/** A storage that accepts and says nothing. */
async function openSilence() {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const at = (url: string, database = 'nowhere') => ({ url, username: 'default', password: '', database });

describe('every refusal of D24', () => {
  let engine: TestEngine;
  let archive: ReturnType<typeof openArchive>;
  let api: TestApi;
  before(async () => {
    engine = await startTestEngine();
    const settings = at(engine.url, await createTestDatabase(engine.url));
    await migrate(settings);
    archive = openArchive(settings);
    api = await startApi(archive);
  });
  after(async () => {
    await api.stop();
    await archive.close();
    await engine.stop();
  });

  it('400 invalid_parameter names every faulty parameter', async () => {
    const problem = await assertProblem(
      await api.get(`${HISTORY}?stations=kjfk&from=2024-01-01&limit=0&x=1`),
      400,
      'invalid_parameter',
    );
    const named = problem.errors?.map(({ parameter }) => parameter).sort();
    assert.deepEqual(named, ['from', 'limit', 'stations', 'to', 'x']);
  });

  it('400 invalid_parameter for each bad value, sent as a client sends it', async () => {
    const codes = Array.from({ length: 1001 }, (_, n) => `K${n.toString(36).toUpperCase().padStart(3, '0')}`);
    const bad: Record<string, string> = {
      'from without an offset': 'stations=KJFK&from=2024-01-01T00:00:00&to=2024-02-01T00:00:00Z',
      'from on 30 February': 'stations=KJFK&from=2024-02-30T00:00:00Z&to=2024-03-01T00:00:00Z',
      'from after to': 'stations=KJFK&from=2024-02-01T00:00:00Z&to=2024-01-01T00:00:00Z',
      'a bare + in the offset': 'stations=KJFK&from=2024-01-01T00:00:00+00:00&to=2024-02-01T00:00:00Z',
      'an unknown parameter': `${QUERY}&station=KJFK`,
      'a repeated parameter': `${QUERY}&type=all&type=all`,
      'repeated stations': `${QUERY}&stations=KJFK`,
      'an empty parameter': `${QUERY}&type=`,
      'an empty cursor': `${QUERY}&cursor=`,
      'a parameter without a value': `${QUERY}&include`,
      'an empty item': 'stations=KJFK,,EGLL&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z',
      '1,001 stations': `stations=${codes}&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z`,
      'limit 0': `${QUERY}&limit=0`,
      'limit 10,001': `${QUERY}&limit=10001`,
      'limit 1e3': `${QUERY}&limit=1e3`,
      'a broken escape': `${QUERY}&type=%ZZ`,
      'bytes that are no UTF-8': `${QUERY}&type=%ff%fe`,
      'a NUL': `${QUERY}&include=%00`,
    };
    for (const [what, query] of Object.entries(bad)) {
      const { errors } = await assertProblem(await api.get(`${HISTORY}?${query}`), 400, 'invalid_parameter');
      assert.equal(errors?.length, 1, what);
    }
  });

  it('400 invalid_cursor and cursor_mismatch are told apart', async () => {
    for (const cursor of ['x', 'AAAA', 'A'.repeat(36), 'A'.repeat(5000), '%F0%9F%8C%A6'])
      await assertProblem(await api.get(`${HISTORY}?${QUERY}&cursor=${cursor}`), 400, 'invalid_cursor');
  });

  it('401 missing_credentials and invalid_credentials, with their challenges', async () => {
    const missing = await api.get(`${HISTORY}?${QUERY}`, { key: null });
    await assertProblem(missing, 401, 'missing_credentials');
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="history"');
    const revoked = await api.createKey();
    const record = (await api.keys.list()).at(-1);
    await api.keys.revoke(record?.id ?? '');
    const details = new Set<string>();
    for (const authorization of [
      '',
      'Bearer',
      'Basic eDp5',
      'Bearer x',
      `Bearer ${generateKey()}`,
      `Bearer ${revoked}`,
    ]) {
      const invalid = await api.get(`${HISTORY}?${QUERY}`, { key: null, headers: { authorization } });
      details.add((await assertProblem(invalid, 401, 'invalid_credentials')).detail);
      assert.equal(invalid.headers.get('www-authenticate'), 'Bearer realm="history", error="invalid_token"');
    }
    assert.equal(details.size, 1);
  });

  it('404 not_found for any other path, its spelling taken strictly', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v2/history/observations',
      `${HISTORY}/`,
      `${HISTORY}/x`,
      '/V1/history/observations',
      '/healthz/',
      '/%00',
      '/..%2f',
    ])
      await assertProblem(await api.get(path), 404, 'not_found');
  });

  it('405 method_not_allowed with Allow on every path that exists', async () => {
    for (const path of [HISTORY, '/healthz', '/readyz', '/metrics'])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const response = await api.get(path, { method });
        await assertProblem(response, 405, 'method_not_allowed');
        assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
      }
  });

  it('406 not_acceptable when Accept excludes JSON, and only then', async () => {
    for (const accept of [
      'text/html',
      'application/xml, text/*',
      'application/json;q=0',
      'application/problem+json',
    ])
      await assertProblem(
        await api.get(`${HISTORY}?${QUERY}`, { headers: { accept } }),
        406,
        'not_acceptable',
      );
    for (const accept of [
      '*/*',
      'application/*',
      'application/json; charset=utf-8',
      'text/html, application/json;q=0.1',
      '',
    ])
      assert.equal((await api.get(`${HISTORY}?${QUERY}`, { headers: { accept } })).status, 200, accept);
  });

  it('503 storage_unavailable while the storage is down', async () => {
    const silence = await openSilence();
    silence.close();
    const down = openArchive(at(silence.url));
    const cut = await startApi(down);
    const response = await cut.get(`${HISTORY}?${QUERY}`);
    await assertProblem(response, 503, 'storage_unavailable');
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    await assertProblem(await cut.get('/readyz'), 503, 'storage_unavailable');
    assert.equal((await cut.get('/healthz')).status, 200);
    await cut.stop();
    await down.close();
  });

  it('504 query_timeout when the storage stays silent, and 503 overloaded when too many wait for it', async () => {
    const silence = await openSilence();
    const silent = openArchive(at(silence.url));
    const slow = await startApi(silent, { limits: { queryTimeoutSeconds: 2, queriesAtOnce: 1 } });
    const first = slow.get(`${HISTORY}?${QUERY}`);
    const others = await Promise.all(Array.from({ length: 20 }, () => firstAnswer(slow)));
    const refused = others.filter((answer) => answer !== undefined);
    assert.ok(refused.length >= 4, 'one runs, 16 wait, the others are refused');
    for (const response of refused) {
      await assertProblem(response, 503, 'overloaded');
      assert.equal(response.headers.get('retry-after'), '1');
    }
    await assertProblem(await first, 504, 'query_timeout');
    await slow.stop();
    await silent.close();
    silence.close();
  });

  /** The answer if it comes at once; else the client gives up, as those who wait too long do. */
  async function firstAnswer(of: TestApi): Promise<Response | undefined> {
    const key = await of.createKey();
    const response = fetch(`${of.url}${HISTORY}?${QUERY}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(1000),
    });
    return response.catch(() => undefined);
  }

  it('500 internal tells the request id and no more, and is logged with its cause', async () => {
    const unborn = openArchive(at(engine.url));
    const broken = await startApi(unborn);
    const { detail, requestId } = await assertProblem(
      await broken.get(`${HISTORY}?${QUERY}`),
      500,
      'internal',
    );
    assert.doesNotMatch(detail, /nowhere|SELECT|ClickHouse/i);
    const line = broken.logged.find((text) => text.includes('"refused"')) ?? '';
    assert.ok(line.includes(requestId) && /nowhere/.test(line), line);
    await broken.stop();
    await unborn.close();
  });

  it('refuses a request body', async () => {
    const request = `GET ${HISTORY}?${QUERY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await api.createKey()}\r\n`;
    for (const body of [
      'Content-Length: 5\r\n\r\nhello',
      'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ])
      assert.match(await api.raw(request + body), /^HTTP\/1\.1 400 [\s\S]*no request body/);
  });

  it('keeps to the order of refusals: path, method, credentials, parameters, cursor (D25)', async () => {
    const nothing = { key: null };
    await assertProblem(await api.get('/nowhere?x=1', { ...nothing, method: 'POST' }), 404, 'not_found');
    await assertProblem(
      await api.get(`${HISTORY}?x=1`, { ...nothing, method: 'POST' }),
      405,
      'method_not_allowed',
    );
    await assertProblem(await api.get(`${HISTORY}?x=1`, nothing), 401, 'missing_credentials');
    await assertProblem(await api.get(`${HISTORY}?x=1&cursor=x`), 400, 'invalid_parameter');
    await assertProblem(await api.get(`${HISTORY}?${QUERY}&cursor=x`), 400, 'invalid_cursor');
  });

  it('sends the headers of every answer with HEAD and without a body', async () => {
    for (const [path, status] of [
      ['/nowhere', 404],
      [`${HISTORY}?x=1`, 400],
      [`${HISTORY}?${QUERY}`, 200],
    ] as const) {
      const response = await api.get(path, { method: 'HEAD' });
      assert.equal(response.status, status);
      assertEveryAnswer(response);
      assert.equal(await response.text(), '');
      assert.ok(Number(response.headers.get('content-length')) > 0);
    }
  });
});
