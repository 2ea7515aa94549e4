import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'mocha';
import { fetchWithRetry } from '../../../../loader/http/fetch-with-retry.ts';
import { InvalidResponseError } from '../../../../loader/sources/source.ts';
import { status, text, textOf, withResponses } from '../../../support/sources/source-server.ts';

describe('fetchWithRetry', () => {
  it('sends the user agent', () =>
    withResponses([text('all')], async ({ client, request, userAgents }) => {
      assert.deepEqual(await fetchWithRetry(client, request, textOf), { kind: 'ok', value: 'all' });
      assert.deepEqual(userAgents, ['test/1 (+someone@example.org)']);
    }));

  for (const code of [401, 403, 408, 429, 500, 501, 502, 503, 504])
    it(`retries after ${code}`, () =>
      withResponses([status(code, {}, 'slow  down\n'), text('all')], async ({ client, request, retries }) => {
        assert.deepEqual(await fetchWithRetry(client, request, textOf), { kind: 'ok', value: 'all' });
        assert.equal(retries[0]?.reason, `${code} slow down`);
      }));

  it('waits as long as Retry-After says', () =>
    withResponses(
      [status(429, { 'retry-after': '1' }), text('all')],
      async ({ client, request, retries, starts }) => {
        await fetchWithRetry(client, request, textOf);
        assert.equal(retries[0]?.waitSeconds, 1);
        assert.ok((starts[1] ?? 0) - (starts[0] ?? 0) > 900);
      },
    ));

  it('does not retry a rejected request', () =>
    withResponses([status(422, {}, 'Invalid times provided.')], async ({ client, request, starts }) => {
      assert.deepEqual(await fetchWithRetry(client, request, textOf), {
        kind: 'failed',
        reason: '422 Invalid times provided.',
        isRejected: true,
      });
      assert.equal(starts.length, 1);
    }));

  it('takes 404 for an empty result only where the request allows it', () =>
    withResponses([status(404)], async ({ client, request }) => {
      assert.deepEqual(await fetchWithRetry(client, { ...request, mayBeAbsent: true }, textOf), {
        kind: 'absent',
      });
      assert.deepEqual(await fetchWithRetry(client, request, textOf), {
        kind: 'failed',
        reason: '404',
        isRejected: true,
      });
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
      assert.deepEqual(await fetchWithRetry(client, request, parse), { kind: 'ok', value: 'all' });
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
        for (const gap of gaps) assert.ok(gap > 300, `${gap} ms`);
      },
      0.6,
    ));
});
