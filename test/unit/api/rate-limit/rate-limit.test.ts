import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import {
  memoryCounter,
  type Plan,
  type RequestCounter,
  toAllowance,
} from '../../../../api/rate-limit/rate-limit.ts';

const counted = (requests: number, milliseconds = 700) => new RateLimiterRes(0, milliseconds, requests);

describe('rate limit', () => {
  it('is that of the plan, and 10 a second without a valid key (D28, D29)', () => {
    const limits = (['sandbox', 'starter', 'professional', 'none'] as const).map(
      (plan: Plan | 'none') => toAllowance(counted(1), plan).limitPerSecond,
    );
    assert.deepEqual(limits, [1, 10, 100, 10]);
  });

  it('counts remaining requests down to 0, and is exhausted by the next one', () => {
    const seen = [1, 2, 9, 10, 11, 50].map((requests) => {
      const { remaining, exhausted } = toAllowance(counted(requests), 'starter');
      return [remaining, exhausted];
    });
    assert.deepEqual(seen, [
      [9, false],
      [8, false],
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
  });

  it('lasts a second in the process, whatever steps the clock makes', async () => {
    const { now } = Date;
    const exhausted = async (count: RequestCounter) => toAllowance(await count('key'), 'sandbox').exhausted;
    try {
      for (const hours of [-1, 1]) {
        const count = memoryCounter();
        const counted = [await exhausted(count), await exhausted(count)];
        Date.now = () => now() + hours * 3_600_000;
        const afterStep = toAllowance(await count('key'), 'sandbox');
        assert.deepEqual(counted, [false, true]);
        assert.ok(afterStep.resetMilliseconds <= 1000, `${hours} h: ${afterStep.resetMilliseconds} ms`);
        // Forwards it begins a new window once, backwards none.
        assert.equal(afterStep.exhausted, hours < 0);
        assert.equal(await exhausted(count), true);
        await sleep(1100);
        assert.equal(await exhausted(count), false);
        Date.now = now;
      }
    } finally {
      Date.now = now;
    }
  });
});
