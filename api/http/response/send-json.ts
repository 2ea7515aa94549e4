import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { QueuedRequest } from '../../ops/queued-request.ts';
import { addLogFields } from '../request-log.ts';
import { appendEnd, type CompressedBodies, ENCODINGS, preferredEncoding } from './compression.ts';
import { type Envelope, matchesEntityTag } from './envelope.ts';

/**
 * Sends a body with its entity tag, compressed as `Accept-Encoding` prefers, or 304 if the client has it.
 *
 * @param bodies compresses each body once
 */
export async function sendJson(
  ctx: Context,
  envelope: Envelope,
  nextCursor: string | undefined,
  client: QueuedRequest,
  bodies: CompressedBodies,
): Promise<void> {
  if (matchesEntityTag(ctx.get('If-None-Match'), envelope.etag)) ctx.status = 304;
  else {
    const encoding = preferredEncoding(ctx, ENCODINGS);
    const parts =
      encoding === undefined
        ? [...envelope.start, envelope.end]
        : appendEnd(await bodies.startOf(envelope, encoding, client), envelope.end);
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

/** To see what a client has acknowledged, a table of all connections must be read. */
const LOOK_MS = 5000;
/** A client that reads nothing of its response for this time is disconnected. */
export const CLIENT_TIMEOUT_MS = 30_000;

export type ReadingTimeouts = {
  readonly clientMs: number;
  /** How long the storage may send nothing while the client waits; if absent, there is no such limit. */
  readonly storageMs?: number;
};

/**
 * Ends a response that makes no progress: closes the connection if its client reads nothing, the stream if that sends
 * nothing. It adds up timer intervals instead of reading a clock, so time in which this
 * process does not run (on a suspended machine, or during a long garbage collection) does not count as silence.
 */
export function closeIfSilent(
  { req: request, res: response }: Context,
  { clientMs, storageMs = Number.POSITIVE_INFINITY }: ReadingTimeouts,
  stream?: Readable,
): void {
  const { socket } = request;
  let sent = '';
  let acknowledged: string | undefined;
  let silentMs = 0;
  const intervalMs = Math.min(LOOK_MS, clientMs / 10);
  const look = async () => {
    const [sentBefore, acknowledgedBefore] = [sent, acknowledged];
    sent = sendProgress(socket);
    // Only if the connection seems to make no progress: this reads a table of all connections.
    acknowledged = sent === sentBefore ? await acknowledgedProgress(socket) : undefined;
    if (response.closed) return;
    if (sent !== sentBefore || acknowledged !== (acknowledgedBefore ?? acknowledged)) {
      silentMs = 0;
      return;
    }
    silentMs += intervalMs;
    const isClientSilent = socket.writableLength > 0;
    if (silentMs < (isClientSilent ? clientMs : storageMs)) return;
    clearInterval(timer);
    if (!isClientSilent) return void stream?.destroy(new Error('The storage sends nothing'));
    addLogFields(request, { isSlow: true });
    // A stream must not look complete: see `sendStream`.
    if (stream === undefined) socket.destroy();
    else socket.resetAndDestroy();
  };
  const timer = setInterval(look, intervalMs);
  response.once('close', () => clearInterval(timer));
}

/**
 * A text that changes when the client reads bytes or when there are new bytes to send to it. Of the bytes that the kernel
 * has not taken yet, `writableLength` changes only when it has taken a whole body; the handle's number changes with each
 * part, and `net` itself uses it to measure progress.
 */
function sendProgress(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${handle?.writeQueueSize ?? socket.writableLength}`;
}

/**
 * A text that changes when the client acknowledges bytes. The kernel holds up to some MB and takes more only when a
 * third of that is free: with a client that reads 20 kB a second, `sendProgress` does not change for more than a minute.
 * Constant on systems other than Linux.
 */
async function acknowledgedProgress({ localPort = 0, remotePort = 0 }: Socket): Promise<string> {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  const files = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  // Local address, remote address, state, bytes in the send queue.
  const pattern = new RegExp(`${hex(localPort)}[0-9A-F]+${hex(remotePort)}[0-9A-F]+ ([0-9A-F]+):`, 'g');
  return tables.flatMap((table) => [...table.matchAll(pattern)].map(([, queued]) => queued)).join(' ');
}
