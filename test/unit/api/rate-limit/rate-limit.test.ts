import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Plan } from '../../../../api/rate-limit/plans.ts';
import { memoryCounter, requireAllowance, toAllowance } from '../../../../api/rate-limit/rate-limit.ts';

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

  it('has Retry-After in whole seconds, also when the window has just ended', () => {
    requireAllowance(toAllowance(counted(1), 'sandbox'));
    for (const milliseconds of [-2, 0, 700, 1000])
      assert.throws(() => requireAllowance(toAllowance(counted(2, milliseconds), 'sandbox')), {
        code: 'rate_limited',
        headers: { 'Retry-After': '1' },
      });
  });

  it('counts each bucket separately in the process', async () => {
    const count = memoryCounter();
    const used = [await count('a'), await count('a'), await count('b'), await count('a')];
    assert.deepEqual(
      used.map(({ consumedPoints }) => consumedPoints),
      [1, 2, 1, 3],
    );
  });
});
