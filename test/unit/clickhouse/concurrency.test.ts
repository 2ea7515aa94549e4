import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../../../clickhouse/concurrency.ts';

/** Runs that end after a moment with their number; the first of them fails where asked. */
function numberedRuns(failsFirst = false) {
  let runs = 0;
  return async () => {
    runs += 1;
    const run = runs;
    await sleep(5);
    if (failsFirst && run === 1) throw new Error('the first run failed');
    return run;
  };
}

const HERE = new AbortController().signal;

describe('single flight', () => {
  it('shares a run and its failure until it ends', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns(true);
    const first = flight.join(run);
    assert.equal(flight.join(run), first);
    await assert.rejects(first, /first run/);
    assert.equal(flight.running, undefined);
    assert.equal(await flight.join(run), 2);
  });

  it('fails only the caller that started a run; the others start one together', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns(true);
    const first = flight.joinUntilSuccess(run, HERE);
    const others = [flight.joinUntilSuccess(run, HERE), flight.joinUntilSuccess(run, HERE)];
    await assert.rejects(first, /first run/);
    assert.deepEqual(await Promise.all(others), [2, 2]);
  });

  it('ends the wait of a caller whose signal aborts, and of no other', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns();
    const gone = new AbortController();
    const first = flight.joinUntilSuccess(run, HERE);
    const second = flight.joinUntilSuccess(run, gone.signal);
    gone.abort();
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await first, 1);
  });
});
