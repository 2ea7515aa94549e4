import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fetchWithRetry, SourceOutage } from '../../../../loader/http/fetch-with-retry.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { status, text, textOf, withResponses } from '../../../support/sources/source-server.ts';

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
    const outage = new SourceOutage(0);
    const started = performance.now();
    outage.recordFailure(1);
    await outage.waitForTurn(NO_LIMIT);
    const waited = performance.now() - started;
    assert.ok(waited >= 950, `${waited} ms`);
    assert.equal(outage.isOngoing, false);
  });

  it('is over for a run that waits no longer than it says, once the next pause would be longer', () => {
    let now = 0;
    const timer = { elapsedMs: () => now, sleep: async () => {} };
    const outage = new SourceOutage(2, timer, 60);
    outage.recordFailure();
    now = 50_000;
    outage.recordFailure();
    assert.equal(outage.isOverAfter(10), false);
    outage.recordSuccess();
    now = 55_000;
    outage.recordFailure();
    assert.equal(outage.isOverAfter(60), false);
    assert.equal(outage.isOverAfter(61), true);
    assert.equal(outage.isExhausted, true);
    const patient = new SourceOutage(2, timer);
    patient.recordFailure();
    assert.equal(patient.isOverAfter(3600), false);
  });

  it('lets waiting requests go when another request succeeds', async () => {
    const outage = new SourceOutage(2);
    fail(outage, 8);
    const waiting = outage.waitForTurn(AbortSignal.timeout(20_000));
    outage.recordSuccess();
    await waiting;
    assert.equal(outage.isOngoing, false);
  });

  it('allows one probe at a time', async () => {
    const outage = new SourceOutage(0);
    const passed: number[] = [];
    const started = performance.now();
    fail(outage, 8);
    const wait = () => outage.waitForTurn(NO_LIMIT).then(() => passed.push(performance.now() - started));
    const both = [wait(), wait()];
    await Promise.race(both);
    assert.equal(passed.length, 1);
    outage.recordSuccess();
    await Promise.all(both);
    assert.ok((passed[0] ?? 0) >= 950, `${passed[0]} ms`);
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
      assert.deepEqual(await fetchWithRetry(client, request, textOf, 1), { kind: 'ok', value: 'all' });
      assert.deepEqual(pauses, ['503 over capacity', '503 over capacity']);
    });
  });
});
