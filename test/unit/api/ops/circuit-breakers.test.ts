import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { CircuitBreaker, CircuitOpenError, watchStorage } from '../../../../api/ops/circuit-breakers.ts';
import { useManualClock } from '../../../support/manual-clock.ts';

const fail = () => Promise.reject(new Error('no response'));

describe('circuit breaker (D30)', () => {
  const wait = useManualClock();

  it('stays closed while fewer than three failures follow each other', async () => {
    const breaker = new CircuitBreaker();
    for (let round = 0; round < 5; round += 1) {
      for (let failure = 0; failure < 2; failure += 1) await assert.rejects(breaker.run(fail), /no response/);
      assert.equal(await breaker.run(async () => 'result'), 'result');
    }
  });

  it('starts no work while it is open', async () => {
    const breaker = new CircuitBreaker();
    for (let round = 0; round < 3; round += 1) await assert.rejects(breaker.run(fail), /no response/);
    for (let round = 0; round < 5; round += 1) await assert.rejects(breaker.run(fail), CircuitOpenError);
  });

  it('runs one trial when it is half open, and closes when the trial succeeds', async () => {
    const breaker = new CircuitBreaker();
    for (let round = 0; round < 3; round += 1) await assert.rejects(breaker.run(fail), /no response/);
    await wait(500);
    const trial = breaker.run(async () => 'trial');
    await assert.rejects(breaker.run(fail), CircuitOpenError);
    assert.equal(await trial, 'trial');
    assert.equal(await breaker.run(async () => 'next'), 'next');
  });
});

const TIMES = { silentAfterMs: 30, probeTimeoutMs: 30, halfOpenAfterMs: 10 };
const neverEnds = (signal: AbortSignal) => sleep(60_000, undefined, { signal });

/** A storage that can stop responding, and the number of probes that it received. */
function createStorage() {
  const storage = {
    isSilent: true,
    probes: 0,
    async ping(signal?: AbortSignal) {
      storage.probes += 1;
      // The breaker probes as long as the process runs: its probes may not keep the process running.
      if (storage.isSilent) await sleep(60_000, undefined, { signal, ref: false });
    },
  };
  return storage;
}

describe('storage breaker (D40)', () => {
  it('ends all running queries when neither they nor a probe get a response, and starts no further one', async () => {
    const storage = createStorage();
    const breaker = watchStorage(storage, TIMES);
    const queries = [breaker.run(neverEnds), breaker.run(neverEnds)];
    for (const query of queries) await assert.rejects(query, CircuitOpenError);
    await assert.rejects(breaker.run(fail), CircuitOpenError);
    assert.equal(storage.probes, 1);
  });

  it('closes when a probe gets a response', async () => {
    const storage = createStorage();
    const breaker = watchStorage(storage, TIMES);
    await assert.rejects(breaker.run(neverEnds), CircuitOpenError);
    storage.isSilent = false;
    const tryIt = () => breaker.run(async () => 'result').catch((error: Error) => error.name);
    while ((await tryIt()) === 'CircuitOpenError') await sleep(10);
    assert.equal(await tryIt(), 'result');
  });

  it('lets a slow query run while the probes get responses', async () => {
    const storage = createStorage();
    storage.isSilent = false;
    const breaker = watchStorage(storage, TIMES);
    const slow = async () => {
      while (storage.probes < 2) await sleep(10);
      return 'result';
    };
    assert.equal(await breaker.run(slow), 'result');
  });

  it('lets a slow query run while other queries get responses, and sends no probe', async () => {
    const storage = createStorage();
    // A busy machine may stop this process for a part of the time.
    const breaker = watchStorage(storage, { ...TIMES, silentAfterMs: 1000 });
    const slow = breaker.run(() => sleep(1500, 'result'));
    for (let n = 0; n < 60; n += 1) await breaker.run(() => sleep(20));
    assert.equal(await slow, 'result');
    assert.equal(storage.probes, 0);
  });

  it('takes an error of the server for a response', async () => {
    const mistake = new ClickHouseError({
      message: 'Cannot parse the statement',
      code: '62',
      type: 'SYNTAX_ERROR',
    });
    const breaker = watchStorage({ ping: () => Promise.reject(mistake) }, TIMES);
    assert.equal(await breaker.hasRespondedSince(performance.now()), true);
  });

  it('says whether the storage has responded since a time', async () => {
    const storage = createStorage();
    const breaker = watchStorage(storage, TIMES);
    const before = performance.now();
    await breaker.run(async () => 'result');
    assert.equal(await breaker.hasRespondedSince(before), true);
    assert.equal(await breaker.hasRespondedSince(performance.now()), false);
  });
});
