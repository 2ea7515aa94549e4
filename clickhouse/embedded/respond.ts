import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import type { Failure } from './exception.ts';
import { contentType } from './formats.ts';
import type { Answer, Counts } from './run.ts';

/** Sends an answer; one in blocks at the pace of its reader. */
export async function sendAnswer(
  message: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  describe: (error: unknown) => Failure,
): Promise<void> {
  const coding = acceptedCoding(message);
  if (answer.format !== '') response.setHeader('X-ClickHouse-Format', answer.format);
  response.setHeader('Content-Type', contentType(answer.format));
  if (coding) response.setHeader('Content-Encoding', coding);
  if (answer.kind === 'whole') {
    response.setHeader('X-ClickHouse-Summary', summary(answer.counts));
    if (!coding) response.setHeader('Content-Length', answer.bytes.length);
    await pipe([answer.bytes], coding, response);
    return;
  }
  const tag = randomBytes(8).toString('hex');
  response.setHeader('X-ClickHouse-Summary', summary({}));
  response.setHeader('X-ClickHouse-Exception-Tag', tag);
  await pipe(endWithFailure(answer.blocks, tag, describe), coding, response);
}

export async function sendFailure(
  message: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
): Promise<void> {
  const coding = acceptedCoding(message);
  if (coding) response.setHeader('Content-Encoding', coding);
  response.statusCode = failure.status;
  response.setHeader('X-ClickHouse-Exception-Code', failure.code);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  await pipe([Buffer.from(failure.message)], coding, response);
}

// A failure after the status was sent ends the body, in the form ClickHouse gives it since 25.11.
async function* endWithFailure(
  blocks: AsyncIterable<Buffer>,
  tag: string,
  describe: (error: unknown) => Failure,
): AsyncGenerator<Buffer> {
  try {
    yield* blocks;
  } catch (error) {
    const { message } = describe(error);
    const length = Buffer.byteLength(message);
    yield Buffer.from(`\r\n__exception__\r\n${tag}\r\n${message}${length} ${tag}\r\n__exception__\r\n`);
  }
}

async function pipe(
  blocks: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding | undefined,
  response: ServerResponse,
): Promise<void> {
  const source = Readable.from(blocks, { objectMode: false });
  if (coding) await pipeline(source, encoder(coding), response);
  else await pipeline(source, response);
}

type Coding = 'gzip' | 'br' | 'deflate';

// As on a server, the caller asks twice: by header and by setting.
function acceptedCoding(message: IncomingMessage): Coding | undefined {
  if (!/[?&]enable_http_compression=(?:1|true)(?:&|$)/.test(message.url ?? '')) return undefined;
  const accepted = String(message.headers['accept-encoding'] ?? '').toLowerCase();
  return (['gzip', 'br', 'deflate'] as const).find((coding) => new RegExp(`\\b${coding}\\b`).test(accepted));
}

// Fast levels: the reader is on the same machine.
function encoder(coding: Coding): Transform {
  if (coding === 'gzip') return createGzip({ level: 1 });
  if (coding === 'deflate') return createDeflate({ level: 1 });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

function summary(counts: Counts): string {
  return JSON.stringify({
    read_rows: String(counts.readRows ?? 0),
    read_bytes: String(counts.readBytes ?? 0),
    written_rows: String(counts.writtenRows ?? 0),
    written_bytes: String(counts.writtenBytes ?? 0),
    total_rows_to_read: '0',
    result_rows: String(counts.resultRows ?? 0),
    result_bytes: String(counts.writtenBytes ?? 0),
    elapsed_ns: String(Math.round((counts.seconds ?? 0) * 1e9)),
  });
}
