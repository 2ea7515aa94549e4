import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startApiWithoutArchive, useApi } from '../../../support/api/api.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/api/problem.ts';

const PATH = '/assets/theme.css';

describe('static documents (D36)', () => {
  const api = useApi(() => startApiWithoutArchive());

  const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    api.get(PATH, { key: null, method, headers });

  /** The body as the service sends it: `fetch` would decompress it. */
  async function getBytes(encoding: string): Promise<Buffer> {
    const response = await api.sendBytes(
      `GET ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    );
    return Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4), 'latin1');
  }

  it('need no key and are not counted', async () => {
    for (let round = 0; round < 12; round += 1) {
      const response = await get();
      assert.equal(response.status, 200);
      assertCommonHeaders(response);
      assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
      assert.match(await response.text(), /color-scheme/);
    }
  });

  it('have a content type that the browser may not change, and a policy without inline scripts', async () => {
    const { headers } = await get();
    assert.equal(headers.get('content-type'), 'text/css; charset=utf-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
  });

  it('have a strong entity tag of each encoding, and 304 for it', async () => {
    const tags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const response = await get({ 'accept-encoding': encoding });
      const etag = response.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]+"$/);
      assert.equal(response.headers.get('cache-control'), 'public, no-cache');
      assert.equal(response.headers.get('vary'), 'Accept-Encoding, X-Forwarded-Proto');
      const unchanged = await get({ 'accept-encoding': encoding, 'if-none-match': `"x", ${etag}` });
      assert.equal(unchanged.status, 304);
      assert.equal(await unchanged.text(), '');
      assert.equal(unchanged.headers.get('etag'), etag);
      assert.equal((await get({ 'accept-encoding': encoding, 'if-none-match': '"x"' })).status, 200);
      tags.add(etag);
    }
    assert.equal(tags.size, 3);
  });

  it('are compressed as Accept-Encoding prefers', async () => {
    const plain = await getBytes('identity');
    assert.deepEqual(gunzipSync(await getBytes('gzip')), plain);
    assert.deepEqual(brotliDecompressSync(await getBytes('gzip;q=0.5, br')), plain);
    assert.deepEqual(await getBytes('zstd, br;q=0'), plain);
  });

  it('have the address that the reader used in their examples', async () => {
    const read = async (path: string, ...headers: readonly string[]) =>
      api.sendBytes([`GET ${path} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n'));
    for (const path of ['/docs/first-request', '/docs/first-request.md', '/llms.txt']) {
      assert.match(await read(path, 'Host: history.example:8443'), /http:\/\/history\.example:8443\//, path);
      const text = await read(path, 'Host: history.example', 'X-Forwarded-Proto: https');
      assert.match(text, /https:\/\/history\.example\//, path);
      assert.doesNotMatch(text, /127\.0\.0\.1/, path);
    }
    for (const host of ['a"><script>', 'a/b', '', 'x'.repeat(300)])
      assert.match(await read('/docs/first-request', `Host: ${host}`), /127\.0\.0\.1:8080|400 /, host);
    const tags = ['a', 'b'].map(
      async (host) => /^etag: (.*)$/im.exec(await read('/docs/first-request', `Host: ${host}`))?.[1],
    );
    assert.notEqual(await tags[0], await tags[1]);
  });

  it('answer HEAD with the headers of GET, and refuse other methods', async () => {
    const [got, head] = [
      await get({ 'accept-encoding': 'identity' }),
      await get({ 'accept-encoding': 'identity' }, 'HEAD'),
    ];
    assert.equal(head.status, 200);
    for (const name of ['etag', 'content-length', 'content-type', 'content-security-policy'])
      assert.equal(head.headers.get(name), got.headers.get(name), name);
    assert.equal(await head.text(), '');
    const posted = await get({}, 'POST');
    assert.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
    await assertProblem(posted, 405, 'method_not_allowed');
  });
});
