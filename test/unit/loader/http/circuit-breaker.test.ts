import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CircuitBreaker } from '../../../../loader/http/circuit-breaker.ts';
import { fetchWithRetry } from '../../../../loader/http/fetch-with-retry.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { status, text, textOf, withResponses } from '../../../support/sources/source-server.ts';

const fail = (breaker: CircuitBreaker, times: number) => {
  for (let at = 0; at < times; at += 1) breaker.recordFailure();
};

describe('circuit breaker of a source', () => {
  it('opens after eight failures in a row and closes with the first success', () => {
    const breaker = new CircuitBreaker(0);
    fail(breaker, 7);
    breaker.recordSuccess();
    fail(breaker, 7);
    assert.equal(breaker.isOpen, false);
    breaker.recordFailure();
    assert.equal(breaker.isOpen, true);
    breaker.recordSuccess();
    assert.equal(breaker.isOpen, false);
  });

  it('pauses five minutes at an interval of 2 s and ten minutes at 60 s', () => {
    assert.equal(new CircuitBreaker(2).pauseSeconds, 300);
    assert.equal(new CircuitBreaker(60).pauseSeconds, 600);
  });

  it('makes every request wait for a Retry-After of the source', async () => {
    const breaker = new CircuitBreaker(0);
    breaker.recordFailure(1);
    const started = performance.now();
    await breaker.waitForTurn(NO_LIMIT);
    const waited = performance.now() - started;
    assert.ok(waited >= 950, `${waited} ms`);
    assert.equal(breaker.isOpen, false);
  });

  it('lets waiting requests go when another request succeeds', async () => {
    const breaker = new CircuitBreaker(2);
    fail(breaker, 8);
    const waiting = breaker.waitForTurn(AbortSignal.timeout(20_000));
    breaker.recordSuccess();
    await waiting;
    assert.equal(breaker.isOpen, false);
  });

  it('sends one probe at a time while it is open', async () => {
    const breaker = new CircuitBreaker(0);
    fail(breaker, 8);
    const passed: number[] = [];
    const started = performance.now();
    const wait = () => breaker.waitForTurn(NO_LIMIT).then(() => passed.push(performance.now() - started));
    const both = [wait(), wait()];
    await Promise.race(both);
    assert.equal(passed.length, 1);
    breaker.recordSuccess();
    await Promise.all(both);
    assert.ok((passed[0] ?? 0) >= 950, `${passed[0]} ms`);
  });

  it('does not count failed probes as attempts of the request', () => {
    const unavailable = status(503, {}, 'over capacity');
    return withResponses([unavailable, unavailable, text('all')], async ({ client, request, pauses }) => {
      fail(client.breaker, 7);
      // The only attempt fails, and is the eighth failure in a row.
      assert.equal((await fetchWithRetry(client, request, textOf, 1)).kind, 'failed');
      assert.deepEqual(await fetchWithRetry(client, request, textOf, 1), { kind: 'ok', value: 'all' });
      assert.deepEqual(pauses, ['503 over capacity', '503 over capacity']);
    });
  });
});
