import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Coverage } from '../../clickhouse/coverage/coverage.ts';
import type { Format } from '../observations/formats/formats.ts';
import { sendStream } from '../observations/formats/send-stream.ts';
import { setEncoding } from '../observations/formats/stream-encoding.ts';
import { setStreamHeaders } from '../observations/formats/stream-headers.ts';
import type { CoverageText } from '../observations/page-cache.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';

/** Sends an answer from memory with the headers of the streaming formats (D33). */
export async function sendFile(
  ctx: Context,
  format: Exclude<Format, 'json'>,
  body: Buffer,
  coverage: CoverageText,
  client: QueuedRequest,
): Promise<void> {
  await client.reserve(body.length);
  const { status } = JSON.parse(Buffer.concat(coverage.parts).toString()) as Coverage;
  setStreamHeaders(ctx, format, status, undefined);
  const createCompressor = setEncoding(ctx, format);
  if (ctx.method !== 'HEAD') await sendStream(ctx, Readable.from([body]), createCompressor);
}
