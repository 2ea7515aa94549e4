import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { HISTORY, QUERY, startApi, type TestApi } from '../../../support/api.ts';
import { emptyArchive, insert, put, report } from '../../../support/archive.ts';
import { assertEveryAnswer } from '../../../support/problem.ts';

const PAGE = `${HISTORY}?${QUERY}`;

describe('the answers as HTTP (D31, D32)', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let api: TestApi;
  before(async () => {
    archive = await emptyArchive();
    await insert(
      archive.client,
      put(report({ at: '2024-01-30T00:00:00Z' })),
      put(report({ at: '2024-01-30T01:00:00Z' })),
    );
    api = await startApi(archive.client);
  });
  after(async () => {
    await api.stop();
    await archive.close();
  });

  /** Status, headers and bytes as they were sent: fetch would unpack them. */
  async function sent(headers: Readonly<Record<string, string>>) {
    const lines = Object.entries({ Host: 'a', Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const answer = await api.raw(
      `GET ${PAGE} HTTP/1.1\r\nAuthorization: Bearer ${await api.createKey()}\r\n${lines.join('')}\r\n`,
    );
    const [head = '', ...body] = answer.split('\r\n\r\n');
    const encoding = /^content-encoding: (.+)$/im.exec(head)?.[1];
    return { head, encoding, bytes: Buffer.from(body.join('\r\n\r\n'), 'latin1') };
  }

  it('are packed as the client likes it', async () => {
    const plain = (await sent({})).bytes;
    assert.equal(JSON.parse(plain.toString()).data.length, 2);
    const same = (bytes: Buffer) =>
      assert.deepEqual(JSON.parse(bytes.toString()).data, JSON.parse(plain.toString()).data);
    const gzip = await sent({ 'Accept-Encoding': 'gzip' });
    assert.equal(gzip.encoding, 'gzip');
    same(gunzipSync(gzip.bytes));
    const brotli = await sent({ 'Accept-Encoding': 'gzip;q=0.5, br' });
    assert.equal(brotli.encoding, 'br');
    same(brotliDecompressSync(brotli.bytes));
    for (const accepted of ['identity', 'deflate, zstd', 'gzip;q=0, br;q=0', '*;q=0'])
      assert.equal((await sent({ 'Accept-Encoding': accepted })).encoding, undefined, accepted);
  });

  it('vary by what they are made of, and are kept by the client alone', async () => {
    const { headers } = await api.get(PAGE);
    assert.equal(headers.get('vary'), 'Accept, Accept-Encoding, Authorization');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  });

  it('have a weak tag that stays while nothing but the rate limit changes, and 304 for who knows it', async () => {
    const [first, second] = [await api.get(PAGE), await api.get(PAGE)];
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[^"]+"$/);
    assert.equal(second.headers.get('etag'), etag);
    for (const known of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const unchanged = await api.get(PAGE, { headers: { 'if-none-match': known } });
      assert.equal(unchanged.status, 304, known);
      assert.equal(await unchanged.text(), '');
      assert.equal(unchanged.headers.get('etag'), etag);
      assertEveryAnswer(unchanged);
    }
    for (const other of ['"x"', 'W/"x"', etag.slice(3, -1)])
      assert.equal((await api.get(PAGE, { headers: { 'if-none-match': other } })).status, 200);
    await insert(archive.client, put(report({ at: '2024-01-30T02:00:00Z' })));
    const changed = await api.get(PAGE, { headers: { 'if-none-match': etag } });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), etag);
  });

  it('take over a request id that is harmless, and make one otherwise', async () => {
    const taken = await api.get(PAGE, { headers: { 'x-request-id': 'Trace-1_2.3' } });
    assert.equal(taken.headers.get('x-request-id'), 'Trace-1_2.3');
    const made = await api.get(PAGE, { headers: { 'x-request-id': 'two words' } });
    assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  it('let pages of any origin in, and tell browsers so beforehand, uncounted', async () => {
    for (const path of [HISTORY, '/healthz', '/nowhere']) {
      const preflight = await api.get(path, {
        method: 'OPTIONS',
        key: null,
        headers: { origin: 'https://example.org', 'access-control-request-headers': 'authorization' },
      });
      assert.equal(preflight.status, 204);
      assertEveryAnswer(preflight);
      assert.equal(preflight.headers.get('x-ratelimit-limit'), '10');
      assert.equal(preflight.headers.get('x-ratelimit-remaining'), '0');
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET/);
      assert.equal(preflight.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    }
  });

  it('of health, readiness and metrics need no key and are never counted (D29, D32)', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      for (let round = 0; round < 12; round += 1) {
        const response = await api.get(path, { key: null });
        assert.equal(response.status, 200);
        assertEveryAnswer(response);
        assert.deepEqual(
          [response.headers.get('x-ratelimit-limit'), response.headers.get('x-ratelimit-remaining')],
          ['10', '0'],
        );
      }
    const metrics = await (await api.get('/metrics')).text();
    assert.match(metrics, /^history_requests_total\{status="200",code="none"\} \d+$/m);
    assert.match(metrics, /^history_records_served_total [1-9]\d*$/m);
  });

  it('are logged, one line a request, with who asked and never with the key', async () => {
    const key = await api.createKey('starter');
    await api.get(`${PAGE}&x=${key}`, { key, headers: { 'x-request-id': 'logged-one' } });
    await api.get(`/${key}/${generateKey()}`, { key, headers: { 'x-request-id': key } });
    const lines = api.logged.filter((line) => line.includes('"event":"request"'));
    const line = JSON.parse(lines.find((text) => text.includes('logged-one')) ?? '{}');
    assert.deepEqual(
      [line.method, line.path, line.status, line.code, line.plan, line.address],
      ['GET', HISTORY, 400, 'invalid_parameter', 'starter', '127.0.0.1'],
    );
    assert.ok(line.key.length > 0 && !key.includes(line.key));
    assert.ok(api.logged.every((text) => !text.includes(key.slice(5, 20))));
  });
});
