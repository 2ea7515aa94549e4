import { randomUUID } from 'node:crypto';
import { ANONYMOUS_PER_SECOND } from '../rate-limit/rate-limit.ts';

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, ' +
  'WWW-Authenticate, X-Coverage-Silent-Days, X-Coverage-Status, X-Stations-In-UTC, X-Has-More, X-Next-Cursor, ' +
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, X-Sources';

/** Headers of every response, whatever its status. The rate limit is that of an uncounted request (D29). */
export function commonHeaders(requestId: string) {
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

/** The response to a CORS preflight, which a browser sends before it sends `Authorization` to another origin. */
export const PREFLIGHT_HEADERS = {
  Allow: 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Cache-Control, Content-Type, If-None-Match, If-Range, Range, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** The client's own id if it is safe to log, else a new one (D31). */
export function toRequestId(header: string | undefined): string {
  return header !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}
