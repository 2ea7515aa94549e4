import { randomUUID } from 'node:crypto';
import { ANONYMOUS_PER_SECOND } from '../rate-limit/plans.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

type Headers = Readonly<Record<string, string>>;

const EXPOSED =
  'ETag, Link, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id';

/**
 * What every answer carries, whatever its status and whoever writes it. The rate limit is that of nobody counted,
 * until someone is (D29).
 */
export function commonHeaders(requestId: string): Headers {
  return {
    'X-Request-Id': requestId,
    'X-RateLimit-Limit': String(ANONYMOUS_PER_SECOND),
    'X-RateLimit-Remaining': '0',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept, Accept-Encoding, Authorization',
    'Cache-Control': 'no-store',
  };
}

/** What a browser asks before it sends an `Authorization` header to another origin. */
export const PREFLIGHT_HEADERS: Headers = {
  Allow: 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

export function rateLimitHeaders({ limitPerSecond, remaining }: Allowance): Headers {
  return { 'X-RateLimit-Limit': String(limitPerSecond), 'X-RateLimit-Remaining': String(remaining) };
}

/** The caller's own id where it is harmless in a log, else a new one (D31). */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID();
}
