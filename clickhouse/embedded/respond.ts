import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import type { Answer, Counts } from './answer.ts';
import type { Failure } from './exception.ts';
import { contentType } from './formats.ts';

/** Sends an answer; one in blocks at the pace of its reader. */
export async function sendAnswer(
  message: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  describe: (error: unknown) => Failure,
): Promise<void> {
  if (answer.format !== '') response.setHeader('X-ClickHouse-Format', answer.format);
  response.setHeader('Content-Type', contentType(answer.format));
  if (answer.kind === 'whole') {
    response.setHeader('X-ClickHouse-Summary', summary(answer.counts));
    await send(message, response, [answer.bytes]);
    return;
  }
  const tag = randomBytes(8).toString('hex');
  response.setHeader('X-ClickHouse-Summary', summary({}));
  response.setHeader('X-ClickHouse-Exception-Tag', tag);
  await send(message, response, answer.blocks, (error) => lastWords(describe(error), tag));
}

export async function sendFailure(
  message: IncomingMessage,
  response: ServerResponse,
  failure: Failure,
): Promise<void> {
  response.statusCode = failure.status;
  response.setHeader('X-ClickHouse-Exception-Code', failure.code);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  await send(message, response, [Buffer.from(failure.message)]);
}

// A failure after the status was sent, in the form ClickHouse gives it since 25.11.
function lastWords({ message }: Failure, tag: string): Buffer {
  const length = Buffer.byteLength(message);
  return Buffer.from(`\r\n__exception__\r\n${tag}\r\n${message}${length} ${tag}\r\n__exception__\r\n`);
}

async function send(
  message: IncomingMessage,
  response: ServerResponse,
  blocks: Iterable<Buffer> | AsyncIterable<Buffer>,
  explain?: (error: unknown) => Buffer,
): Promise<void> {
  const coding = acceptedCoding(message);
  if (coding) response.setHeader('Content-Encoding', coding);
  const sink = coding ? encoder(coding) : response;
  if (sink !== response) sink.pipe(response, { end: false });
  const gone = once(response, 'close').catch(() => {});
  if (sink !== response) void gone.then(() => sink.destroy());
  let broken = false;
  try {
    for await (const block of blocks) {
      if (response.destroyed) return;
      if (!sink.write(block)) await Promise.race([once(sink, 'drain'), gone]);
    }
  } catch (error) {
    if (!explain) throw error;
    broken = true;
    sink.write(explain(error));
  }
  if (sink !== response) await Promise.race([once(sink.end(), 'end'), gone]);
  // Without its last chunk a broken answer cannot be taken for a whole one, whatever its reader understands.
  if (broken) response.socket?.end();
  else response.end();
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
