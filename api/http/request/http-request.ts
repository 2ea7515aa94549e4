import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../../problem.ts';

const ALLOW = { headers: { Allow: 'GET, HEAD, OPTIONS' } };

export function methodNotAllowed(detail: string): Problem {
  return new Problem('method_not_allowed', detail, ALLOW);
}

export function requireGetOrHead(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('This path serves GET and HEAD.');
}

/** Aborts when the client disconnects before the response is complete. */
export function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function requireNoBody(request: IncomingMessage): void {
  if (hasBody(request))
    throw new Problem(
      'invalid_parameter',
      'This endpoint takes no request body: all input is in the query string.',
    );
}

/**
 * HTTP/1.1 requires a `Host` header, and no version allows two (RFC 9112, 3.2). Node's own refusal lacks the common
 * headers, and Node takes the first of two.
 */
export function requireHost({ headersDistinct, httpVersion }: IncomingMessage): void {
  const hosts = headersDistinct.host?.length ?? 0;
  if (httpVersion === '1.1' && hosts === 0)
    throw new Problem('invalid_parameter', 'The request has no Host header.');
  if (hosts > 1) throw new Problem('invalid_parameter', 'The request has several Host headers: send one.');
}

/** Path and query of the request target, which may be in absolute form (RFC 9112, 3.2.2). */
export function toOriginForm(target: string): string {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return relative.startsWith('/') ? relative : `/${relative}`;
}
