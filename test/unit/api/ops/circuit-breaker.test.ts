import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { CircuitOpenError, createCircuitBreaker } from '../../../../api/ops/circuit-breaker.ts';

const fail = () => Promise.reject(new Error('silent'));

describe('the breaker (D30)', () => {
  it('lets everything through while it works, and after single failures', async () => {
    const guarded = createCircuitBreaker({ failures: 2, restMilliseconds: 60_000 });
    for (let round = 0; round < 5; round += 1) {
      await assert.rejects(guarded(fail), /silent/);
      assert.equal(await guarded(async () => 'fine'), 'fine');
    }
  });

  it('tries nothing while it rests', async () => {
    const guarded = createCircuitBreaker({ failures: 2, restMilliseconds: 60_000 });
    let tried = 0;
    const attempt = () => {
      tried += 1;
      return fail();
    };
    for (let round = 0; round < 2; round += 1) await assert.rejects(guarded(attempt), /silent/);
    for (let round = 0; round < 5; round += 1) await assert.rejects(guarded(attempt), CircuitOpenError);
    assert.equal(tried, 2);
  });

  it('lets one trial through after each rest, and closes when it succeeds', async () => {
    const guarded = createCircuitBreaker({ failures: 1, restMilliseconds: 20 });
    await assert.rejects(guarded(fail), /silent/);
    await sleep(40);
    const slow = guarded(() => sleep(1, 'back'));
    await assert.rejects(
      guarded(async () => 'second'),
      CircuitOpenError,
    );
    assert.equal(await slow, 'back');
    assert.equal(await guarded(async () => 'open'), 'open');
  });
});
