import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { compressPage, ENCODINGS, preferredEncoding } from '../http/compression.ts';
import { matchesEntityTag } from '../http/http-request.ts';
import { CLIENT_TIMEOUT_MS, closeIfSilent } from '../http/slow-clients.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { Envelope } from './envelope.ts';

/** Sends a body with its entity tag, compressed as `Accept-Encoding` prefers, or 304 if the client has it. */
export async function sendJson(
  ctx: Context,
  envelope: Envelope,
  nextCursor: string | undefined,
  client: QueuedRequest,
): Promise<void> {
  if (matchesEntityTag(ctx.get('If-None-Match'), envelope.etag)) ctx.status = 304;
  else {
    const encoding = preferredEncoding(ctx, ENCODINGS);
    const parts =
      encoding === undefined ? envelope.parts : [await compressPage(envelope.parts, encoding, client)]; // 503 overloaded
    // 503 overloaded: before the headers of a page are set.
    await sendBody(ctx, parts, client);
    ctx.type = envelope.mediaType;
    if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  }
  ctx.set({ ETag: envelope.etag, 'Cache-Control': 'private, no-cache' });
  setLinks(ctx, nextCursor);
}

/** Proxies refuse longer header lines (D31). */
const MAX_LENGTH = 2048;

/**
 * Sets the `Link` header (RFC 8288): to the next page, which is the same request with another cursor, and to the
 * coverage. Leaves out links longer than 2 kB.
 *
 * @param covered the query of the coverage
 */
export function setLinks(ctx: Context, nextCursor: string | undefined, covered?: URLSearchParams): void {
  const links: string[] = [];
  if (nextCursor !== undefined) {
    const query = new URLSearchParams(ctx.querystring);
    query.set('cursor', nextCursor);
    links.push(`<${ctx.path}?${query}>; rel="next"`);
  }
  if (covered !== undefined) links.push(`</v1/history/coverage?${covered}>; rel="describedby"`);
  const short = links.filter(({ length }) => length <= MAX_LENGTH);
  if (short.length > 0) ctx.set('Link', short);
}

/** A smaller body fits into the kernel's buffer. */
const MIN_WATCHED_BYTES = 64 * 1024;

/** Sends a body once its bytes fit into the response memory (else 503 overloaded); they count until it is sent. */
export async function sendBody(
  ctx: Context,
  parts: readonly Buffer[],
  client: QueuedRequest,
  timeoutMs = CLIENT_TIMEOUT_MS,
): Promise<void> {
  const { socket } = ctx.req;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (ctx.method !== 'HEAD') await client.reserve(length);
  // A response that has closed already emits no further `close`.
  if (ctx.res.closed || socket.destroyed) return;
  ctx.body = toBody(parts, length);
  ctx.length = length;
  if (ctx.method === 'HEAD' || length < MIN_WATCHED_BYTES) return;
  closeIfSilent(ctx, { clientMs: timeoutMs });
}

/** Below this size a copy costs less than a stream. */
const MIN_STREAM_BYTES = 512 * 1024;

/**
 * One buffer, or a stream of the parts that does not copy large ones, so a page that many clients request is in memory
 * once. A part that is small compared to the buffer it keeps alive is copied.
 */
function toBody(parts: readonly Buffer[], length: number): Buffer | Readable {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  if (length < MIN_STREAM_BYTES) return Buffer.concat(parts, length);
  const isShared = (part: Buffer) => part.length * 2 >= part.buffer.byteLength;
  const own = parts.map((part) => (isShared(part) ? part : Buffer.from(part)));
  return Readable.from(own, { objectMode: false });
}
