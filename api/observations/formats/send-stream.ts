import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { addLogFields } from '../../http/request-log.ts';
import { createCompressor, type Encoding, preferredEncoding } from '../../http/response/compression.ts';
import { type StreamTimeouts, watchStream } from './watch-stream.ts';

/** Chooses a compression by `Accept-Encoding`, and says so in the headers. */
export function setEncoding(ctx: Context): Encoding | undefined {
  const encoding = preferredEncoding(ctx);
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  return encoding;
}

/**
 * Sends a stream as fast as its client reads. Where it breaks, the connection is reset: then also a client of HTTP/1.0,
 * for whom the end of the connection is the end of the body, does not take it for whole.
 */
export async function sendStream(
  ctx: Context,
  bytes: Readable,
  encoding: Encoding | undefined,
  timeouts: StreamTimeouts,
): Promise<void> {
  const { req, res, app } = ctx;
  const { socket } = req;
  if (res.closed || socket.destroyed) return void bytes.destroy();
  ctx.respond = false;
  // The watch replaces it. A client that reads slowly may need longer for what the kernel holds.
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  const bytesBefore = socket.bytesWritten;
  // Before the listener that logs the request.
  res.prependOnceListener('close', () => addLogFields(req, { bytes: socket.bytesWritten - bytesBefore }));
  const stopWatching = watchStream(socket, timeouts, (silent) => {
    if (silent === 'storage') return void bytes.destroy(new Error('The storage sends nothing'));
    addLogFields(req, { isSlow: true });
    socket.resetAndDestroy();
  });
  bytes.once('error', (error) => {
    // A client that disconnects ends the stream with an error too.
    if (res.closed || socket.destroyed) return;
    addLogFields(req, { code: 'storage_unavailable' });
    socket.resetAndDestroy();
    app.emit('error', error, ctx);
  });
  try {
    await pipeline([bytes, ...(encoding === undefined ? [] : [createCompressor(encoding, 'stream')]), res]);
  } catch {
    // The listener above has reported it.
  } finally {
    stopWatching();
    socket.setTimeout(timeout);
  }
}
