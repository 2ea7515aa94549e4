import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { addLogFields } from '../request-log.ts';
import { UnreadResponse, UnreadResponses } from './unread-responses.ts';

/** Sends a body to a client, who is named so that its unread bytes can be limited. */
export type SendBody = (ctx: Context, parts: readonly Buffer[], client: string) => void;

/** What the process, and one key, may have in memory for clients that read slowly. A large page has some 4 MB. */
const LIMITS = { bytes: 64 * 1024 * 1024, bytesOfClient: 32 * 1024 * 1024 };

/** Bounds the bytes that wait for clients to read them, and closes the slowest connections beyond that. */
export function boundUnreadBytes(limits = LIMITS): SendBody {
  const responses = new UnreadResponses(limits);
  return (ctx, parts, client) => {
    const { socket } = ctx.req;
    // A response that has closed already emits no further `close`.
    if (ctx.res.closed || socket.destroyed) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    ctx.body = toBody(parts, length);
    ctx.length = length;
    if (ctx.method === 'HEAD') return;
    const close = () => {
      addLogFields(ctx.req, { isSlow: true });
      socket.destroy();
    };
    const response = new UnreadResponse(client, length, () => queuedBytes(socket), close);
    ctx.res.once('close', () => responses.remove(response));
    responses.add(response);
  };
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
