import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from './problem.ts';

/** Aborts when the connection is lost before the answer was sent: nobody waits for the query any more. */
export function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
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

/** HTTP/1.1 requires a `Host` header (RFC 9112, 3.2). Node's own refusal would lack our headers. */
export function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Problem('invalid_parameter', 'The request has no Host header.');
}

/** The request target as path and query, also where it was sent in absolute form (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return relative.startsWith('/') ? relative : `/${relative}`;
}
