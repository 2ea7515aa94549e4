import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { Problem, retryAfter } from '../problem.ts';

/** Requests per second of one key (section 8 of the specification). */
export const PLANS = { sandbox: 1, starter: 10, professional: 100 } as const;
export type Plan = keyof typeof PLANS;

/** Requests per second of one client address, for requests without a valid key (D29). */
export const ANONYMOUS_PER_SECOND = 10;

export function isPlan(name: string | undefined): name is Plan {
  return name !== undefined && Object.hasOwn(PLANS, name);
}

/** The numbers in the headers and in `meta.rateLimit`, all from the one count that decided (D28). */
export type Allowance = ReturnType<typeof toAllowance>;

export type RequestCounter = (bucket: string) => Promise<RateLimiterRes>;

/** A window starts with the first request of a bucket (D28). The limiter only counts (`penalty`): the plan is known later. */
const WINDOW = { points: PLANS.professional, duration: 1, keyPrefix: 'ratelimit' };

/** Redis stores the end of a window as a time of day: setting its clock back by an hour would block a key for an hour. */
const INCREMENT = `
  redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local consumed = redis.call('INCRBY', KEYS[1], ARGV[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 or left > 1000 * ARGV[2] then
    left = 1000 * ARGV[2]
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return {consumed, left}`;

export function redisCounter(redis: Redis): RequestCounter {
  const limiter = new RateLimiterRedis({
    ...WINDOW,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: INCREMENT,
  });
  return (bucket) => limiter.penalty(bucket);
}

/** A timer removes each bucket at the end of its window, so there are at most as many buckets as requests in the last second. */
export function memoryCounter(): RequestCounter {
  const limiter = new RateLimiterMemory(WINDOW);
  return (bucket) => limiter.penalty(bucket);
}

export function toAllowance(count: RateLimiterRes, plan: Plan | 'none') {
  const limitPerSecond: number = plan === 'none' ? ANONYMOUS_PER_SECOND : PLANS[plan];
  return {
    plan,
    limitPerSecond,
    remaining: Math.max(0, limitPerSecond - count.consumedPoints),
    exhausted: count.consumedPoints > limitPerSecond,
    // The in-process counter reads the time of day, and the clock can be set back.
    resetMilliseconds: Math.min(count.msBeforeNext, WINDOW.duration * 1000),
  };
}

export function requireAllowance({ exhausted, limitPerSecond, resetMilliseconds }: Allowance): void {
  if (!exhausted) return;
  const requests = limitPerSecond === 1 ? 'request' : 'requests';
  throw new Problem('rate_limited', `The limit is ${limitPerSecond} ${requests} per second.`, {
    headers: retryAfter(resetMilliseconds),
  });
}

/** The same numbers under two names: those of the specification and of draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitHeaders(allowance: Allowance): Readonly<Record<string, string>> {
  const { limitPerSecond, remaining, resetMilliseconds } = allowance;
  return {
    'X-RateLimit-Limit': String(limitPerSecond),
    'X-RateLimit-Remaining': String(remaining),
    'RateLimit-Policy': `"per-second";q=${limitPerSecond};w=1`,
    RateLimit: `"per-second";r=${remaining};t=${Math.max(1, Math.ceil(resetMilliseconds / 1000))}`,
  };
}
