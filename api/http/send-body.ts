import type { Socket } from 'node:net';
import type { Context } from 'koa';
import { addLogFields } from './request-log.ts';
import { UnreadResponse, UnreadResponses } from './unread-responses.ts';

/** Sends a body to a client, who is named so that its unread bytes can be limited. */
export type SendBody = (ctx: Context, body: Buffer, client: string) => void;

/** What the process, and one key, may have in memory for clients that read slowly. A large page has some 4 MB. */
const LIMITS = { bytes: 64 * 1024 * 1024, bytesOfClient: 32 * 1024 * 1024 };

/** Bounds the bytes that wait for clients to read them, and closes the slowest connections beyond that. */
export function boundUnreadBytes(limits = LIMITS): SendBody {
  const responses = new UnreadResponses(limits);
  return (ctx, body, client) => {
    const { socket } = ctx.req;
    // A response that has closed already emits no further `close`.
    if (ctx.res.closed || socket.destroyed) return;
    ctx.body = body;
    if (ctx.method === 'HEAD') return;
    const close = () => {
      addLogFields(ctx.req, { isSlow: true });
      socket.destroy();
    };
    const response = new UnreadResponse(client, body.length, () => queuedBytes(socket), close);
    ctx.res.once('close', () => responses.remove(response));
    responses.add(response);
  };
}

/**
 * Bytes that the kernel has not taken yet. `writableLength` changes only when the kernel has taken a whole body; the
 * number of the handle changes with each part, and `net` itself measures progress by it.
 */
export function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
