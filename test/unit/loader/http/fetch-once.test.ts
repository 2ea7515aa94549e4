import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type FetchResult, fetchOnce } from '../../../../loader/http/fetch-once.ts';
import type { TimeLimits } from '../../../../loader/http/retry-policy.ts';
import { normalize } from '../../../../loader/pipeline/normalize.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { SOURCE_ADAPTERS } from '../../../../loader/sources/registry.ts';
import type { Body, ParsedBody, SourceRequest } from '../../../../loader/sources/source.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { SLICE_OF_A_DAY as SLICE } from '../../../support/sources/iem-reports.ts';

const HEADER = 'station,valid,metar\n';
const ROW = 'XYZ,2024-01-01 23:51,KXYZ 012351Z 18004KT\n';
const [MAX_BYTES, MAX_ROWS] = [100_000, 500];
const NO_TIME_LIMITS: TimeLimits = { idleMs: 10_000, totalMs: 10_000 };

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** What a server has seen of its requests. */
type Seen = { paths: string[]; bytesSent: number };

const endless =
  (status: number, chunk: string | Buffer, headers = {}): Respond =>
  (response) => {
    response.writeHead(status, headers);
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', send);
    send();
  };
const all =
  (body: string | Buffer, headers = {}): Respond =>
  (response) =>
    response.writeHead(200, headers).end(body);
const redirect =
  (location: string, status = 302): Respond =>
  (response) =>
    response.writeHead(status, { location }).end();

/** Sends one request with small limits to a server of the test. */
async function exchange<T>(
  respond: Respond,
  parse: (body: Body) => Promise<T>,
  request: Partial<SourceRequest> = {},
  timeLimits = NO_TIME_LIMITS,
): Promise<{ readonly attempt: FetchResult<T>; readonly seen: Seen }> {
  const seen: Seen = { paths: [], bytesSent: 0 };
  const server = createServer((message, response) => {
    seen.paths.push(message.url ?? '');
    response.on('close', () => (seen.bytesSent += message.socket.bytesWritten));
    respond(response, message);
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const options = { userAgent: 'test', signal: NO_LIMIT, onBytes: () => {} };
  try {
    const attempt = await fetchOnce(options, { url, maxBytes: MAX_BYTES, ...request }, parse, timeLimits);
    return { attempt, seen };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const kindOf = (attempt: FetchResult<unknown>) => ('isRejected' in attempt ? 'rejected' : attempt.kind);
const parseSlice = (body: Body): Promise<ParsedBody> => iem().parse(body, SLICE, MAX_ROWS);
const parseList = (source: 'iem' | 'awc' | 'ncei') =>
  SOURCE_ADAPTERS[source]().descriptionList?.parse ?? assert.fail();

describe('a hostile source', () => {
  const rowsOf = (count: number) => HEADER + ROW.repeat(count);
  const bomb = gzipSync(Buffer.alloc(20_000_000, '\n'));

  for (const [what, respond, reason] of [
    ['an endless body', endless(200, '# wait\n'.repeat(100)), 'more than 0.1 MB'],
    ['an endless error text', endless(500, 'Oops '), `500 ${'Oops '.repeat(24).trim()}`],
    ['endless rows', endless(200, rowsOf(100)), 'more rows than a slice can have'],
    ['an endless part of a body', endless(206, HEADER + ROW), /^206 station,valid,metar XYZ/],
    ['a line without end', endless(200, 'XYZ,2024-01-01 23:51,'.repeat(50)), 'more than 0.1 MB'],
    ['a row without end', endless(200, HEADER + 'A'.repeat(1000)), 'more than 0.1 MB'],
    ['a bomb of gzip', all(bomb, { 'content-encoding': 'gzip' }), 'more than 0.1 MB'],
    ['a bomb of gzip in gzip', all(gzipSync(bomb), { 'content-encoding': 'gzip, gzip' }), 'more than 0.1 MB'],
    ['damaged gzip', all(bomb.subarray(50), { 'content-encoding': 'gzip' }), /incorrect header/],
    ['too many rows', all(rowsOf(MAX_ROWS + 1)), 'more rows than a slice can have'],
    [
      'headers without end',
      (response: ServerResponse) => response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(50_000)}`),
      /overflow/i,
    ],
    ['a redirect loop', redirect('/again'), 'redirected more than 5 times'],
    [
      'a redirect to this machine',
      redirect('http://localhost:1/'),
      'redirected to another host, http://localhost:1',
    ],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'redirected to another host, null'],
    ['a redirect to no URL', redirect('http://'), 'redirected to "http://", which is not a URL'],
    [
      'a redirect to another host with TLS',
      redirect('https://example.org/'),
      'redirected to another host, https://example.org',
    ],
    [
      'an error text with control characters',
      (response: ServerResponse) => response.writeHead(503).end('\x1b[2J\x07over\tcapacity'),
      '503 [2J over capacity',
    ],
  ] as const satisfies readonly (readonly [string, Respond, string | RegExp])[])
    it(`is an error with its reason: ${what}`, async () => {
      const { attempt, seen } = await exchange(respond, parseSlice);
      assert.equal(kindOf(attempt), 'failed', JSON.stringify(attempt).slice(0, 200));
      const actual = 'reason' in attempt ? attempt.reason : '';
      if (typeof reason === 'string') assert.equal(actual, reason);
      else assert.match(actual, reason);
      assert.ok(seen.bytesSent < 5_000_000, `${seen.bytesSent} bytes were sent`);
    });

  const SHORT: TimeLimits = { idleMs: 200, totalMs: 400 };
  // A process that stands still for the shorter limit gets no byte either.
  const LONGER: TimeLimits = { idleMs: 1000, totalMs: 1500 };
  for (const [what, respond, reason, limits = SHORT] of [
    ['no byte', () => {}, 'no data for 0.2 s'],
    ['a pause without end', (response: ServerResponse) => response.write(HEADER), 'no data for 0.2 s'],
    [
      'one byte after another',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write('X'), 10);
        response.on('close', () => clearInterval(timer));
      },
      'not complete after 1.5 s',
      LONGER,
    ],
    [
      'an error text of one byte after another',
      (response: ServerResponse) => {
        response.writeHead(500).write('Oops');
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
      '500 Oops',
    ],
  ] as readonly (readonly [string, Respond, string, TimeLimits?])[])
    it(`is given up in time: ${what}`, async () => {
      const { attempt } = await exchange(respond, parseSlice, {}, limits);
      assert.deepEqual([kindOf(attempt), 'reason' in attempt && attempt.reason], ['failed', reason]);
    });

  for (const [what, request, kind] of [
    ['is rejected', {}, 'rejected'],
    ['is absent where it may be', { mayBeAbsent: true }, 'absent'],
  ] as const)
    it(`an endless body under 404 ${what}, and its connection is closed`, async () => {
      const { attempt, seen } = await exchange(endless(404, 'Not found '), parseSlice, request);
      assert.equal(kindOf(attempt), kind);
      assert.ok(seen.bytesSent < 5_000_000, `${seen.bytesSent} bytes were sent`);
    });

  for (const [source, what, body, reason] of [
    ['awc', 'that is a bomb of gzip', bomb, /^a damaged gzip file/],
    ['ncei', 'that is HTML', '<html>\n', /^no header/],
  ] as const)
    it(`a list of stations of ${source} ${what} is an error`, async () => {
      const { attempt } = await exchange(all(body), parseList(source), { maxBytes: 2_000_000 });
      assert.equal(kindOf(attempt), 'failed', JSON.stringify(attempt).slice(0, 200));
      assert.match('reason' in attempt ? attempt.reason : '', reason);
    });
});

describe('a source that is odd and not wrong', () => {
  const parsed = async (respond: Respond, request: Partial<SourceRequest> = {}) => {
    const { attempt, seen } = await exchange(respond, parseSlice, request);
    assert.equal(attempt.kind, 'ok', JSON.stringify(attempt).slice(0, 200));
    return { body: attempt.value, seen };
  };

  it('may begin a body with a byte order mark', async () => {
    const { body } = await parsed(all(`\ufeff${HEADER}${ROW}`));
    assert.deepEqual([body.rows.length, body.skipped], [1, {}]);
  });

  it('may redirect within its host, and to another path of it', async () => {
    const { body, seen } = await parsed((response, request) =>
      (request.url === '/' ? redirect('/moved', 301) : all(HEADER + ROW))(response, request),
    );
    assert.deepEqual([body.rows.length, seen.paths], [1, ['/', '/moved']]);
  });

  it('may redirect to another host that its adapter names', async () => {
    const { attempt } = await exchange(redirect('https://127.0.0.2/'), parseSlice, {
      redirectHosts: ['127.0.0.2'],
    });
    assert.match(attempt.kind === 'failed' ? attempt.reason : '', /ECONNREFUSED 127\.0\.0\.2:443/);
  });

  it('has a text longer than any report skipped by this reason, wherever its line is cut', async () => {
    const row = `XYZ,2024-01-01 12:00,KXYZ 011200Z ${'9'.repeat(90_000)}\n`;
    const { body } = await parsed(all(HEADER + row + ROW));
    const { reports, skipped } = normalize(body);
    assert.deepEqual([reports.length, skipped], [1, { 'longer than any report': 1 }]);
  });
});
