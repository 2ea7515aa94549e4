import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import {
  createSourceClient,
  fetchWithRetry,
  type SourceClient,
  SourceOutage,
} from '../../../../loader/http/fetch-with-retry.ts';
import { type Body, InvalidResponseError, type SourceRequest } from '../../../../loader/sources/source.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { fastTimer } from '../../../support/loader/run-load.ts';

type Respond = (response: ServerResponse) => void;

type Exchange = {
  readonly client: SourceClient;
  readonly request: SourceRequest;
  /** When each request started, in milliseconds. */
  readonly starts: readonly number[];
  readonly userAgents: readonly (string | undefined)[];
  readonly retries: readonly { readonly reason: string; readonly waitSeconds: number }[];
  readonly pauses: readonly string[];
};

const text =
  (body: string): Respond =>
  (response) =>
    response.end(body);

const ALL = { kind: 'ok', value: 'all', madeAt: undefined };

const status =
  (code: number, headers = {}, body = ''): Respond =>
  (response) =>
    response.writeHead(code, headers).end(body);

/** Runs a test against a server that gives one of `responses` to each request, and the last of them to all others. */
async function withResponses(
  responses: readonly Respond[],
  test: (exchange: Exchange) => Promise<void>,
  intervalSeconds = 0,
): Promise<void> {
  const timer = fastTimer();
  const starts: number[] = [];
  const userAgents: (string | undefined)[] = [];
  const retries: { reason: string; waitSeconds: number }[] = [];
  const pauses: string[] = [];
  const server = createServer((request, response) => {
    response.sendDate = false;
    userAgents.push(request.headers['user-agent']);
    responses[Math.min(userAgents.length, responses.length) - 1]?.(response);
  });
  const events = {
    started: () => starts.push(timer.elapsedMs()),
    received: () => {},
    pausing: (reason: string) => pauses.push(reason),
    retrying: (_url: string, reason: string, waitSeconds: number) => retries.push({ reason, waitSeconds }),
  };
  const options = { userAgent: 'test/1 (+someone@example.org)', signal: NO_LIMIT, events };
  const client = createSourceClient({ intervalSeconds, parallel: 1 }, options, timer);
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/`;
  try {
    await test({ client, request: { url, maxBytes: 1e6 }, starts, userAgents, retries, pauses });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function textOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('fetchWithRetry', () => {
  it('sends the user agent', () =>
    withResponses([text('all')], async ({ client, request, userAgents }) => {
      assert.deepEqual(await fetchWithRetry(client, request, textOf), ALL);
      assert.deepEqual(userAgents, ['test/1 (+someone@example.org)']);
    }));

  for (const code of [401, 403, 408, 429, 500, 501, 502, 503, 504])
    it(`retries after ${code}`, () =>
      withResponses([status(code, {}, 'slow  down\n'), text('all')], async ({ client, request, retries }) => {
        assert.deepEqual(await fetchWithRetry(client, request, textOf), ALL);
        assert.equal(retries[0]?.reason, `${code} slow down`);
      }));

  it('waits as long as Retry-After says', () =>
    withResponses(
      [status(429, { 'retry-after': '1' }), text('all')],
      async ({ client, request, retries, starts }) => {
        await fetchWithRetry(client, request, textOf);
        assert.equal(retries[0]?.waitSeconds, 1);
        assert.deepEqual(starts, [0, 1000]);
      },
    ));

  it('does not retry a rejected request', () =>
    withResponses([status(422, {}, 'Invalid times provided.')], async ({ client, request, starts }) => {
      const result = await fetchWithRetry(client, request, textOf);
      const reason = '422 Invalid times provided.';
      assert.deepEqual(result, { kind: 'failed', reason, isRejected: true });
      assert.equal(starts.length, 1);
    }));

  it('takes 404 for an empty result only where the request allows it', () =>
    withResponses([status(404)], async ({ client, request }) => {
      const allowed = await fetchWithRetry(client, { ...request, mayBeAbsent: true }, textOf);
      assert.deepEqual(allowed, { kind: 'absent', madeAt: undefined });
      const result = await fetchWithRetry(client, request, textOf);
      assert.deepEqual(result, { kind: 'failed', reason: '404', isRejected: true });
    }));

  it('retries after an invalid response and after a broken connection', () => {
    const broken = (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    };
    return withResponses([text('sorry'), broken, text('all')], async ({ client, request, starts }) => {
      const parse = async (body: AsyncIterable<Uint8Array>) => {
        const whole = await textOf(body);
        if (whole === 'sorry') throw new InvalidResponseError('an apology');
        return whole;
      };
      assert.deepEqual(await fetchWithRetry(client, request, parse), ALL);
      assert.equal(starts.length, 3);
    });
  });

  it('fails after the last attempt and gives the reason', () =>
    withResponses([status(503)], async ({ client, request }) => {
      const result = await fetchWithRetry(client, request, textOf, 3);
      assert.deepEqual(result, { kind: 'failed', reason: '503 (3 attempts)' });
    }));

  it('waits longer the more requests to the source have failed', () =>
    withResponses(
      [status(503), status(503), text('all'), status(503), text('all')],
      async ({ client, request, retries }) => {
        await fetchWithRetry(client, request, textOf, 1);
        await fetchWithRetry(client, request, textOf);
        await fetchWithRetry(client, request, textOf);
        const [second = 0, afterSuccess = 0] = retries.map(({ waitSeconds }) => waitSeconds);
        assert.ok(second >= 0.2 && afterSuccess < 0.2, `${second} s, then ${afterSuccess} s`);
      },
    ));

  it('throws an error of the program without a retry', () =>
    withResponses([text('all')], async ({ client, request, starts }) => {
      const wrong = async () => {
        throw new RangeError('a mistake');
      };
      await assert.rejects(fetchWithRetry(client, request, wrong), RangeError);
      assert.equal(starts.length, 1);
    }));

  it('stops during a pause or a request when the signal aborts', async () => {
    const stop = new AbortController();
    await withResponses([status(503, { 'retry-after': '3000' })], async ({ client, request }) => {
      const events = { ...client.events, retrying: () => stop.abort() };
      const stopped = fetchWithRetry({ ...client, events, signal: stop.signal }, request, textOf);
      await assert.rejects(stopped, { name: 'AbortError' });
    });
    const later = new AbortController();
    await withResponses([() => later.abort()], async ({ client, request }) => {
      const stopped = fetchWithRetry({ ...client, signal: later.signal }, request, textOf);
      await assert.rejects(stopped, { name: 'AbortError' });
    });
  });

  it('keeps the interval from start to start, retries included', () =>
    withResponses(
      [status(503), text('all')],
      async ({ client, request, starts }) => {
        await Promise.all([fetchWithRetry(client, request, textOf), fetchWithRetry(client, request, textOf)]);
        const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
        assert.equal(gaps.length, 2);
        for (const gap of gaps) assert.ok(gap >= 600, `${gap} ms`);
      },
      0.6,
    ));
});

const fail = (outage: SourceOutage, times: number) => {
  for (let at = 0; at < times; at += 1) outage.recordFailure();
};

describe('outage of a source', () => {
  it('begins with the eighth failure in a row and ends with the first success', () => {
    const outage = new SourceOutage(0);
    fail(outage, 7);
    outage.recordSuccess();
    fail(outage, 7);
    assert.equal(outage.isOngoing, false);
    outage.recordFailure();
    assert.equal(outage.isOngoing, true);
    outage.recordSuccess();
    assert.equal(outage.isOngoing, false);
  });

  it('pauses five minutes at an interval of 2 s and ten minutes at 60 s', () => {
    assert.equal(new SourceOutage(2).pauseSeconds, 300);
    assert.equal(new SourceOutage(60).pauseSeconds, 600);
  });

  it('makes every request wait for a Retry-After of the source', async () => {
    const timer = fastTimer();
    const outage = new SourceOutage(0, timer);
    outage.recordFailure(1);
    await outage.waitForTurn(NO_LIMIT);
    assert.deepEqual([timer.elapsedMs(), outage.isOngoing], [1000, false]);
  });

  it('is over for a run that waits no longer than it says, once the next pause would be longer', async () => {
    const timer = fastTimer();
    const outage = new SourceOutage(2, timer, 60);
    outage.recordFailure();
    await timer.sleep(50_000, NO_LIMIT);
    outage.recordFailure(10);
    assert.equal(outage.isExhausted, false);
    outage.recordSuccess();
    await timer.sleep(5_000, NO_LIMIT);
    assert.equal(outage.recordFailure(60), 60);
    assert.equal(outage.isExhausted, false);
    outage.recordFailure(61);
    assert.equal(outage.isExhausted, true);
    const patient = new SourceOutage(2, timer);
    patient.recordFailure(3600);
    assert.equal(patient.isExhausted, false);
  });

  it('lets waiting requests go when another request succeeds', async () => {
    const timer = fastTimer();
    const outage = new SourceOutage(2, timer);
    fail(outage, 8);
    const waiting = outage.waitForTurn(NO_LIMIT);
    outage.recordSuccess();
    await waiting;
    assert.deepEqual([timer.elapsedMs(), outage.isOngoing], [1000, false]);
  });

  it('allows one probe at a time', async () => {
    const timer = fastTimer();
    const outage = new SourceOutage(0, timer);
    const passed: number[] = [];
    fail(outage, 8);
    for (let n = 0; n < 3; n += 1) {
      await outage.waitForTurn(NO_LIMIT);
      passed.push(timer.elapsedMs());
    }
    assert.deepEqual(passed, [1000, 3000, 7000]);
  });

  it('allows thirty probes, also where they take longer than a pause', async () => {
    class OutageWithoutPauses extends SourceOutage {
      override get pauseSeconds(): number {
        return 0;
      }
    }
    const outage = new OutageWithoutPauses(0);
    fail(outage, 8);
    let probes = 0;
    const waiting = Array.from({ length: 40 }, async () => {
      await outage.waitForTurn(NO_LIMIT);
      if (!outage.isExhausted) probes += 1;
    });
    // All are sent before the first fails.
    await Promise.all(waiting.slice(0, 30));
    outage.recordFailure();
    await Promise.all(waiting);
    assert.equal(probes, 30);
  });

  it('does not count failed probes as attempts of the request', () => {
    const unavailable = status(503, {}, 'over capacity');
    return withResponses([unavailable, unavailable, text('all')], async ({ client, request, pauses }) => {
      fail(client.outage, 7);
      // The only attempt fails, and is the eighth failure in a row.
      assert.equal((await fetchWithRetry(client, request, textOf, 1)).kind, 'failed');
      assert.deepEqual(await fetchWithRetry(client, request, textOf, 1), ALL);
      assert.deepEqual(pauses, ['503 over capacity', '503 over capacity']);
    });
  });
});
