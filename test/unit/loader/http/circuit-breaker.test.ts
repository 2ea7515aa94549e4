import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'mocha';
import { CircuitBreaker } from '../../../../loader/http/circuit-breaker.ts';
import { createSourceClient, fetchWithRetry } from '../../../../loader/http/fetch-with-retry.ts';
import { textOf } from '../../../../loader/sources/source.ts';
import { NO_LIMIT } from '../../../support/archive.ts';

const fail = (breaker: CircuitBreaker, times: number) => {
  for (let at = 0; at < times; at += 1) breaker.failed();
};

describe('the breaker before a source', () => {
  it('opens after eight faults in a row, and closes with the first answer', () => {
    const breaker = new CircuitBreaker(0);
    fail(breaker, 7);
    breaker.answered();
    fail(breaker, 7);
    assert.equal(breaker.isOpen, false);
    breaker.failed();
    assert.equal(breaker.isOpen, true);
    breaker.answered();
    assert.equal(breaker.isOpen, false);
  });

  it('leaves a source alone for five minutes at a pace of two seconds', () => {
    const breaker = new CircuitBreaker(2);
    assert.equal(breaker.pauseSeconds, 300);
    assert.equal(new CircuitBreaker(60).pauseSeconds, 600);
  });

  it('holds back whatever is asked of a source that asks to be left alone', async () => {
    const breaker = new CircuitBreaker(0);
    breaker.failed(1);
    const started = performance.now();
    await breaker.pass(NO_LIMIT);
    const waited = performance.now() - started;
    assert.ok(waited >= 950, `${waited} ms`);
    assert.equal(breaker.isOpen, false);
  });

  it('lets go at once of what waits, when the source answers another', async () => {
    const breaker = new CircuitBreaker(2);
    fail(breaker, 8);
    const waiting = breaker.pass(AbortSignal.timeout(20_000));
    breaker.answered();
    await waiting;
    assert.equal(breaker.isOpen, false);
  });

  it('lets one request at a time try', async () => {
    const breaker = new CircuitBreaker(0);
    fail(breaker, 8);
    const passed: number[] = [];
    const started = performance.now();
    const pass = () => breaker.pass(NO_LIMIT).then(() => passed.push(performance.now() - started));
    const both = [pass(), pass()];
    await Promise.race(both);
    assert.equal(passed.length, 1);
    breaker.answered();
    await Promise.all(both);
    assert.ok((passed[0] ?? 0) >= 950, `${passed[0]} ms`);
  });

  it('waits with a request while the source is in trouble, and gets its answer in the end', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      if (asked <= 2) response.writeHead(503).end('over capacity');
      else response.end('all');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pauses: string[] = [];
    const watch = {
      started: () => {},
      received: () => {},
      retrying: () => {},
      pausing: (reason: string) => pauses.push(reason),
    };
    const line = createSourceClient(
      { intervalSeconds: 0, parallel: 1 },
      { userAgent: 'test', signal: NO_LIMIT, watch },
    );
    fail(line.breaker, 7);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      // One attempt is all that it has, and the first fault is the eighth in a row.
      assert.equal((await fetchWithRetry(line, { url }, textOf, 1)).kind, 'failed');
      assert.deepEqual(await fetchWithRetry(line, { url }, textOf, 1), { kind: 'answered', value: 'all' });
      assert.deepEqual(pauses, ['503 over capacity', '503 over capacity']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
