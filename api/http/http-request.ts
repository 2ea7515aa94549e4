import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { Problem } from '../problem.ts';

export type Route = (ctx: Context) => Promise<void>;

export type LabeledRoute = { readonly label: string; readonly handle: Route };
export type RouteEntry = readonly [path: string, route: LabeledRoute];

/** When requests arrived, by `performance.now()`. */
export const arrivals = new WeakMap<IncomingMessage, number>();
/** Requests that are refused because too many requests wait for their turn. */
export const refusedRequests = new WeakSet<IncomingMessage>();

export function arrivalOf(request: IncomingMessage): number {
  return arrivals.get(request) ?? performance.now();
}

const ALLOW = { headers: { Allow: 'GET, HEAD, OPTIONS' } };

export function methodNotAllowed(detail: string): Problem {
  return new Problem('method_not_allowed', detail, ALLOW);
}

export function requireGetOrHead(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('This path serves GET and HEAD.');
}

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

/** RFC 9112, 3.2: one `Host` header. Node takes the first of two, and its own refusal lacks the common headers. */
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

/** By weak comparison (RFC 9110, 13.1.2). `fetch` adds `Cache-Control: no-cache` to `If-None-Match`: it is ignored. */
export function matchesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaqueTag = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaqueTag);
}

/** The media type of each format of an endpoint, by the extension of its path. The first format is the default. */
export type MediaTypes = Readonly<Record<string, string>>;

export function chooseFormat<Types extends MediaTypes>(ctx: Context, mediaTypes: Types) {
  const formats = Object.entries(mediaTypes) as readonly (readonly [keyof Types & string, string])[];
  const types = Object.values(mediaTypes);
  const [named] = formats.find(([format]) => ctx.path.endsWith(`.${format}`)) ?? [];
  if (named !== undefined) return named;
  const accepted =
    ctx.get('Accept').trim() === ''
      ? types[0]
      : // Clients add a charset even to types without that parameter.
        ctx.accepts(types.flatMap((type) => [type, `${type}; charset=utf-8`]));
  const [format] = formats.find(([, type]) => accepted && accepted.split(';')[0] === type) ?? [];
  if (format !== undefined) return format;
  const allTypes = [types.slice(0, -1).join(', '), types.at(-1)].filter(Boolean).join(' or ');
  throw new Problem('not_acceptable', `This endpoint responds with ${allTypes}.`);
}
