import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { addLogFields } from '../request-log.ts';
import { CLIENT_TIMEOUT_MS, watchReading } from './watch-reading.ts';

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
  const stopWatching = watchReading(socket, { clientMs: timeoutMs }, () => {
    addLogFields(ctx.req, { isSlow: true });
    socket.destroy();
  });
  ctx.res.once('close', stopWatching);
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
