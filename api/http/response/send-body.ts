import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { QueryClient } from '../../ops/query-limits.ts';
import { addLogFields } from '../request-log.ts';
import { ReadingPace } from './reading-pace.ts';

/** Sends a body once its bytes fit into the memory of responses (503 overloaded); they count until it is sent. */
export async function sendBody(
  ctx: Context,
  parts: readonly Buffer[],
  { memory, disconnected }: QueryClient,
): Promise<void> {
  const { socket } = ctx.req;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (ctx.method !== 'HEAD') await memory.reserve(length, disconnected);
  // A response that has closed already emits no further `close`.
  if (ctx.res.closed || socket.destroyed) return;
  ctx.body = toBody(parts, length);
  ctx.length = length;
  if (ctx.method === 'HEAD') return;
  const pace = new ReadingPace(length, () => queuedBytes(socket));
  memory.send({
    pace: () => pace.measure(),
    close() {
      addLogFields(ctx.req, { isSlow: true });
      socket.destroy();
    },
  });
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

/**
 * Bytes that the kernel has not taken yet. `writableLength` changes only when the kernel has taken a whole body; the
 * number of the handle changes with each part, and `net` itself measures progress by it.
 */
export function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
