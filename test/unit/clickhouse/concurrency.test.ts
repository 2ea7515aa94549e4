import assert from 'node:assert/strict';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { LoopTurns, SingleFlight } from '../../../clickhouse/concurrency.ts';

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
  it('joins concurrent callers to one run, and starts another one after it', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns();
    const calls = Array.from({ length: 100 }, () => flight.join(run));
    assert.equal(flight.isRunning, true);
    assert.deepEqual([...new Set(await Promise.all(calls))], [1]);
    assert.equal(flight.isRunning, false);
    assert.equal(await flight.join(run), 2);
  });

  it('joins them to a failure too', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns(true);
    for (const call of [flight.join(run), flight.join(run)]) await assert.rejects(call, /first run/);
    assert.equal(await flight.join(run), 2);
  });

  it('gives callers a run that started after their call, and one to all who called during another', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns();
    const first = flight.joinNext(run);
    await sleep(1);
    const during = Array.from({ length: 100 }, () => flight.joinNext(run));
    assert.equal(await first, 1);
    assert.deepEqual([...new Set(await Promise.all(during))], [2]);
    assert.equal(await flight.joinNext(run), 3);
  });

  it('gives them the next run after a failure', async () => {
    const flight = new SingleFlight<number>();
    const run = numberedRuns(true);
    const first = flight.joinNext(run);
    await sleep(1);
    const during = flight.joinNext(run);
    await assert.rejects(first, /first run/);
    assert.equal(await during, 2);
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

describe('turns of the event loop', () => {
  it('come between two pieces of work, which begin in the order in which they came', async () => {
    const turns = new LoopTurns();
    const events: string[] = [];
    const work = (name: string) => void turns.take().then(() => events.push(name));
    for (const name of ['a', 'b', 'c']) work(name);
    while (!events.includes('c')) {
      await turn();
      events.push('turn');
    }
    assert.match(events.join(), /^a,turn,turn,b(,turn){3},c/);
  });

  it('do not delay work that comes when none has begun for some turns', async () => {
    const turns = new LoopTurns();
    await turns.take();
    for (let n = 0; n < 4; n += 1) await turn();
    let hasBegun = false;
    void turns.take().then(() => {
      hasBegun = true;
    });
    await Promise.resolve();
    assert.ok(hasBegun);
  });
});
