import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openArchive } from '../../../../clickhouse/client.ts';
import { HISTORY, startApi, type TestApi } from '../../../support/api.ts';
import { assertProblem } from '../../../support/problem.ts';

/** What came over the wire, as a Response to be judged like any other. */
function parsed(answer: string): Response {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as [string, string],
  );
  return new Response(body, { status: Number(status.split(' ')[1]), headers });
}

describe('requests that Koa never sees', () => {
  const archive = openArchive({
    url: 'http://127.0.0.1:1',
    username: 'default',
    password: '',
    database: 'none',
  });
  let api: TestApi;
  before(async () => {
    api = await startApi(archive);
  });
  after(async () => {
    await api.stop();
    await archive.close();
  });

  const refused = async (bytes: string, status: number, code: string) => {
    const response = parsed(await api.raw(bytes));
    const problem = await assertProblem(response, status, code);
    assert.equal(response.headers.get('x-ratelimit-limit'), '10');
    assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
    return problem;
  };

  it('are refused as problems, with the headers of every answer', async () => {
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
      await refused(bytes, 400, 'invalid_parameter');
  });

  it('may be too long', async () => {
    const { detail } = await refused(
      `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      400,
      'invalid_parameter',
    );
    assert.match(detail, /16 KiB/);
  });

  it('may have methods that Node does not know, or does not pass on', async () => {
    await refused(`BREW ${HISTORY} HTTP/1.1\r\nHost: a\r\n\r\n`, 405, 'method_not_allowed');
    await refused('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed');
  });

  it('do not break the answer that is under way on their connection', async () => {
    const answer = await api.raw(
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.equal(answer.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  });

  it('get their answer without a 100 first when they expect one', async () => {
    for (const expected of ['100-continue', 'something-else']) {
      const answer = await api.raw(
        `POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: ${expected}\r\n\r\n`,
      );
      await assertProblem(parsed(answer), 405, 'method_not_allowed');
    }
  });
});
