import assert from 'node:assert/strict';
import { OBSERVATIONS, startApiWithoutArchive, useApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';

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

/** The bytes of a response as a `Response`. */
function parseResponse(bytes: string): Response {
  const [head = '', body = ''] = bytes.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as [string, string],
  );
  return new Response(body, { status: Number(status.split(' ')[1]), headers });
}

describe('requests that do not reach Koa', () => {
  const api = useApi(() => startApiWithoutArchive());

  const assertRefused = async (bytes: string, status: number, code: string) => {
    const response = parseResponse(await api.sendBytes(bytes));
    const problem = await assertProblem(response, status, code);
    assert.equal(response.headers.get('x-ratelimit-limit'), '10');
    assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
    return problem;
  };

  it('get a problem with the common headers when they are malformed', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: five\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    ])
      await assertRefused(bytes, 400, 'invalid_parameter');
  });

  it('get a problem that names the limit when they are too long', async () => {
    const long = `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const { detail } = await assertRefused(long, 400, 'invalid_parameter');
    assert.match(detail, /16 KiB/);
  });

  it('get 405 for CONNECT and for methods that Node does not know', async () => {
    await assertRefused(`BREW ${OBSERVATIONS} HTTP/1.1\r\nHost: a\r\n\r\n`, 405, 'method_not_allowed');
    const connect = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n';
    const { detail } = await assertRefused(connect, 405, 'method_not_allowed');
    assert.equal(detail, 'CONNECT is not supported.');
  });

  it('do not interrupt the response to an earlier request on the same connection', async () => {
    const response = await api.sendBytes(
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.equal(response.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  });

  it('are refused after the responses to the requests before them on the same connection', async () => {
    const good = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const [malformed, status] of [
      ['garbage\r\n\r\n', 400],
      ['CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ] as const) {
      const responses = (await api.sendBytes(good + good + malformed)).split(/(?=HTTP\/1\.1 )/);
      assert.deepEqual(
        responses.map((text) => Number(text.split(' ')[1])),
        [200, 200, status],
      );
    }
  });

  it('are refused after a response that waits for the key store', async () => {
    const slow = `GET ${OBSERVATIONS} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const responses = await api.sendBytes(`${slow}garbage\r\n\r\n`);
    assert.deepEqual(responses.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 400']);
  });

  it('get the response of their path when only their body is malformed', async () => {
    for (const head of ['Transfer-Encoding: identity\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n']) {
      const response = await api.sendBytes(`GET /healthz HTTP/1.1\r\nHost: a\r\n${head}`);
      assert.deepEqual(response.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200']);
    }
  });

  it('get their final response without 100 Continue when they send Expect', async () => {
    for (const expected of ['100-continue', 'something-else']) {
      const response = await api.sendBytes(
        `POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: ${expected}\r\n\r\n`,
      );
      await assertProblem(parseResponse(response), 405, 'method_not_allowed');
    }
  });

  for (const [what, rest] of Object.entries(SMUGGLING))
    it(`are refused once at most, and the connection closes, where two servers could read them differently: ${what}`, async () => {
      const answer = await api.sendBytes(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
      // A connection that closes without an answer is safe too.
      assert.ok(statuses.length < 2 && statuses.every((status) => /^4/.test(status)), statuses.join());
      assert.doesNotMatch(answer, /# HELP/);
    });
});
