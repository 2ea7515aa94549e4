import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { CircuitOpenError, createCircuitBreaker } from '../../../../api/ops/circuit-breaker.ts';

const fail = () => Promise.reject(new Error('no response'));

describe('circuit breaker (D30)', () => {
  it('stays closed while fewer failures than the threshold follow each other', async () => {
    const breaker = createCircuitBreaker({ failureThreshold: 2, halfOpenAfterMs: 60_000 });
    for (let round = 0; round < 5; round += 1) {
      await assert.rejects(breaker(fail), /no response/);
      assert.equal(await breaker(async () => 'result'), 'result');
    }
  });

  it('starts no work while it is open', async () => {
    const breaker = createCircuitBreaker({ failureThreshold: 2, halfOpenAfterMs: 60_000 });
    let started = 0;
    const work = () => {
      started += 1;
      return fail();
    };
    for (let round = 0; round < 2; round += 1) await assert.rejects(breaker(work), /no response/);
    for (let round = 0; round < 5; round += 1) await assert.rejects(breaker(work), CircuitOpenError);
    assert.equal(started, 2);
  });

  it('runs one trial when it is half open, and closes when the trial succeeds', async () => {
    const breaker = createCircuitBreaker({ failureThreshold: 1, halfOpenAfterMs: 20 });
    await assert.rejects(breaker(fail), /no response/);
    await sleep(40);
    const trial = breaker(() => sleep(1, 'trial'));
    await assert.rejects(
      breaker(async () => 'second trial'),
      CircuitOpenError,
    );
    assert.equal(await trial, 'trial');
    assert.equal(await breaker(async () => 'result'), 'result');
  });
});
