import { randomUUID } from 'node:crypto';
import { ANONYMOUS_PER_SECOND } from '../rate-limit/plans.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

type Headers = Readonly<Record<string, string>>;

const EXPOSED =
  'ETag, Link, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id';

/** Headers of every response of any status. The rate limit is that of a request that is not counted (D29). */
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

/** `Link` to the description of the interface, for programs and for people (RFC 8631). */
export const SERVICE_LINKS = '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"';

/** The response to the preflight of a browser, which asks before it sends `Authorization` to another origin. */
export const PREFLIGHT_HEADERS: Headers = {
  Allow: 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

export function rateLimitHeaders({ limitPerSecond, remaining }: Allowance): Headers {
  return { 'X-RateLimit-Limit': String(limitPerSecond), 'X-RateLimit-Remaining': String(remaining) };
}

/** The client's own id where it is safe to log, else a new one (D31). */
export function toRequestId(header: string | undefined): string {
  return header !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}
