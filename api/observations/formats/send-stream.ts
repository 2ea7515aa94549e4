import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { RecordStream } from '../../../clickhouse/observations/stream/join-windows.ts';
import { addLogFields } from '../../http/request-log.ts';
import { CLIENT_TIMEOUT_MS, type ReadingTimeouts, watchReading } from '../../http/response/send-json.ts';
import type { CreateCompressor } from './stream-encoding.ts';

const TIMEOUTS: ReadingTimeouts = { clientMs: CLIENT_TIMEOUT_MS, storageMs: 60_000 };

/**
 * Sends a stream as fast as its client reads. If the stream breaks, resets the connection, so that even an HTTP/1.0
 * client, for which the end of the connection ends the body, does not take it as complete.
 */
export async function sendStream(
  ctx: Context,
  bytes: Readable,
  createCompressor: CreateCompressor | undefined,
  timeouts = TIMEOUTS,
): Promise<void> {
  const { req, res, app } = ctx;
  const { socket } = req;
  if (res.closed || socket.destroyed) return void bytes.destroy();
  ctx.respond = false;
  // The watch replaces it. A slow client may need longer to read what the kernel holds.
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  const bytesBefore = socket.bytesWritten;
  // Runs before the listener that logs the request.
  res.prependOnceListener('close', () => {
    const records = bytes instanceof RecordStream ? { records: bytes.records } : {};
    addLogFields(req, { bytes: socket.bytesWritten - bytesBefore, ...records });
  });
  const stopWatching = watchReading(socket, timeouts, (silent) => {
    if (silent === 'storage') return void bytes.destroy(new Error('The storage sends nothing'));
    addLogFields(req, { isSlow: true });
    socket.resetAndDestroy();
  });
  bytes.once('error', (error) => {
    // A disconnecting client also ends the stream with an error.
    if (res.closed || socket.destroyed) return;
    addLogFields(req, { code: 'storage_unavailable' });
    socket.resetAndDestroy();
    app.emit('error', error, ctx);
  });
  try {
    await pipeline([bytes, ...(createCompressor === undefined ? [] : [createCompressor()]), res]);
  } catch {
    // The listener above has reported it.
  } finally {
    stopWatching();
    socket.setTimeout(timeout);
  }
}
