import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { addLogFields } from '../request-log.ts';
import { CLIENT_TIMEOUT_MS, watchReading } from './watch-reading.ts';

/** A smaller body fits into the buffer of the kernel. */
const MIN_WATCHED_BYTES = 64 * 1024;

/** Sends a body once its bytes fit into the memory of responses (503 overloaded); they count until it is sent. */
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
 * One buffer, or a stream of the parts without a copy of those that are large: a page in memory that many clients
 * request is in memory once. A part that is little of what it keeps in memory is copied.
 */
function toBody(parts: readonly Buffer[], length: number): Buffer | Readable {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  if (length < MIN_STREAM_BYTES) return Buffer.concat(parts, length);
  const isShared = (part: Buffer) => part.length * 2 >= part.buffer.byteLength;
  const own = parts.map((part) => (isShared(part) ? part : Buffer.from(part)));
  return Readable.from(own, { objectMode: false });
}
