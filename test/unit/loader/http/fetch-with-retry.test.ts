import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'mocha';
import { CircuitBreaker } from '../../../../loader/http/circuit-breaker.ts';
import { fetchWithRetry, type SourceClient } from '../../../../loader/http/fetch-with-retry.ts';
import { Throttle } from '../../../../loader/http/throttle.ts';
import { InvalidResponseError, type SourceRequest, textOf } from '../../../../loader/sources/source.ts';

type Scene = {
  readonly line: SourceClient;
  readonly request: SourceRequest;
  readonly starts: readonly number[];
  readonly agents: readonly (string | undefined)[];
  readonly retries: readonly { readonly reason: string; readonly waitSeconds: number }[];
};

/** Plays `answers` one a request, and the last of them for ever. */
async function play(
  answers: readonly ((response: ServerResponse) => void)[],
  scene: (scene: Scene) => Promise<void>,
  intervalSeconds = 0,
): Promise<void> {
  const starts: number[] = [];
  const agents: (string | undefined)[] = [];
  const retries: { reason: string; waitSeconds: number }[] = [];
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent']);
    answers[Math.min(agents.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const line = {
    pace: new Throttle(intervalSeconds),
    intervalSeconds: 0,
    userAgent: 'test/1 (+someone@example.org)',
    breaker: new CircuitBreaker(0),
    signal: AbortSignal.timeout(10_000),
    watch: {
      started: () => starts.push(performance.now()),
      received: () => {},
      pausing: () => {},
      retrying: (_url: string, reason: string, waitSeconds: number) => retries.push({ reason, waitSeconds }),
    },
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await scene({ line, request: { url }, starts, agents, retries });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const text = (body: string) => (response: ServerResponse) => response.end(body);
const status =
  (code: number, headers = {}, body = '') =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end(body);

describe('asking a source', () => {
  it('says who asks', () =>
    play([text('all')], async ({ line, request, agents }) => {
      assert.deepEqual(await fetchWithRetry(line, request, textOf), { kind: 'answered', value: 'all' });
      assert.deepEqual(agents, ['test/1 (+someone@example.org)']);
    }));

  for (const code of [401, 403, 408, 429, 500, 501, 502, 503, 504])
    it(`asks again after ${code}`, () =>
      play([status(code, {}, 'slow  down\n'), text('all')], async ({ line, request, retries }) => {
        assert.deepEqual(await fetchWithRetry(line, request, textOf), { kind: 'answered', value: 'all' });
        assert.equal(retries[0]?.reason, `${code} slow down`);
      }));

  it('waits as long as it is asked to', () =>
    play([status(429, { 'retry-after': '1' }), text('all')], async ({ line, request, retries, starts }) => {
      await fetchWithRetry(line, request, textOf);
      assert.equal(retries[0]?.waitSeconds, 1);
      assert.ok((starts[1] ?? 0) - (starts[0] ?? 0) > 900);
    }));

  it('does not ask again for what is refused for good', () =>
    play([status(422, {}, 'Invalid times provided.')], async ({ line, request, starts }) => {
      assert.deepEqual(await fetchWithRetry(line, request, textOf), {
        kind: 'failed',
        reason: '422 Invalid times provided.',
        refused: true,
      });
      assert.equal(starts.length, 1);
    }));

  it('takes a 404 for an answer only where it may be one', () =>
    play([status(404)], async ({ line, request }) => {
      assert.deepEqual(await fetchWithRetry(line, { ...request, mayBeAbsent: true }, textOf), {
        kind: 'absent',
      });
      assert.deepEqual(await fetchWithRetry(line, request, textOf), {
        kind: 'failed',
        reason: '404',
        refused: true,
      });
    }));

  it('asks again when the body is no answer, and when it breaks off', () => {
    const broken = (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    };
    return play([text('sorry'), broken, text('all')], async ({ line, request, starts }) => {
      const read = async (body: AsyncIterable<Uint8Array>) => {
        const whole = await textOf(body);
        if (whole === 'sorry') throw new InvalidResponseError('an apology');
        return whole;
      };
      assert.deepEqual(await fetchWithRetry(line, request, read), { kind: 'answered', value: 'all' });
      assert.equal(starts.length, 3);
    });
  });

  it('gives up when there is never an answer, and says why', () =>
    play([status(503)], async ({ line, request }) => {
      const answer = await fetchWithRetry(line, request, textOf, 3);
      assert.deepEqual(answer, { kind: 'failed', reason: '503 (asked 3 times)' });
    }));

  it('leaves a source alone the longer the longer it is in trouble, whatever is asked for', () =>
    play(
      [status(503), status(503), text('all'), status(503), text('all')],
      async ({ line, request, retries }) => {
        await fetchWithRetry(line, request, textOf, 1);
        await fetchWithRetry(line, request, textOf);
        await fetchWithRetry(line, request, textOf);
        const [second = 0, afterAnAnswer = 0] = retries.map(({ waitSeconds }) => waitSeconds);
        assert.ok(second >= 0.2 && afterAnAnswer < 0.2, `${second} s, then ${afterAnAnswer} s`);
      },
    ));

  it('does not hide a mistake of the program behind another try', () =>
    play([text('all')], async ({ line, request, starts }) => {
      const broken = async () => {
        throw new RangeError('a mistake');
      };
      await assert.rejects(fetchWithRetry(line, request, broken), RangeError);
      assert.equal(starts.length, 1);
    }));

  it('stops when it is told to, also while it waits', () =>
    play([status(503, { 'retry-after': '3000' })], async ({ line, request }) => {
      const stop = new AbortController();
      const watch = { ...line.watch, retrying: () => stop.abort() };
      await assert.rejects(fetchWithRetry({ ...line, watch, signal: stop.signal }, request, textOf), {
        name: 'AbortError',
      });
    }));

  it('keeps its pace from start to start, repeated requests included', () =>
    play(
      [status(503), text('all')],
      async ({ line, request, starts }) => {
        await Promise.all([fetchWithRetry(line, request, textOf), fetchWithRetry(line, request, textOf)]);
        const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
        assert.equal(gaps.length, 2);
        for (const gap of gaps) assert.ok(gap > 280, `${gap} ms`);
      },
      0.3,
    ));
});
