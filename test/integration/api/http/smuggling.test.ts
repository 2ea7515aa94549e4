import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';

/** A request that hides in the body of another; its answer would hold `# HELP`. */
const HIDDEN = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

/** Two servers that read one of these differently would disagree about where the next request begins. */
const SMUGGLING: Readonly<Record<string, string>> = {
  'a length and chunks': `Content-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN}`,
  'chunks and a length': `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'two lengths': `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'two lengths in one header': `Content-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'a blank before the colon of a length': `Content-Length : ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'a length with a sign': `Content-Length: +${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'an unknown encoding': `Transfer-Encoding: xchunked\r\n\r\n${HIDDEN}`,
  'a blank before the colon of an encoding': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'two encodings': `Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a control character before an encoding': `Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a chunk with a hexadecimal prefix': `Transfer-Encoding: chunked\r\n\r\n0x5\r\naaaaa\r\n0\r\n\r\n${HIDDEN}`,
  'a folded header': `X: a\r\n Content-Length: 0\r\n\r\n${HIDDEN}`,
};

describe('HTTP that two servers could read differently', () => {
  let api: TestApi;
  before(async () => {
    api = await startApiWithoutArchive();
  });
  after(() => api.stop());

  for (const [what, rest] of Object.entries(SMUGGLING))
    it(`is refused once at most, and the connection closes: ${what}`, async () => {
      const answer = await api.sendBytes(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
      // A connection that closes without an answer is safe too.
      assert.ok(statuses.length < 2 && statuses.every((status) => /^4/.test(status)), statuses.join());
      assert.doesNotMatch(answer, /# HELP/);
    });

  it('answers a request that garbage follows', async () => {
    const answer = await api.sendBytes('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  it('answers a GET with Transfer-Encoding: identity', async () => {
    const head =
      'GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\nConnection: close\r\n\r\n';
    assert.match(await api.sendBytes(head), /^HTTP\/1\.1 (200|400|501) /);
  });
});
