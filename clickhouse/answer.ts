import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { ClickHouseError, parseError } from '@clickhouse/client';
import { TEXT_END } from './archive.ts';
import { InvalidAnswerError } from './errors.ts';
import { countRowsOfBlocks } from './native-blocks.ts';

// A proxy before ClickHouse can answer in its place, and can end an answer early that then looks complete: nginx speaks
// HTTP/1.0 to its upstreams, where the end of the connection is the end of the body.

type Answer = {
  readonly stream: Readable;
  readonly response_headers: IncomingHttpHeaders;
  readonly http_status_code?: number | undefined;
};

/** The most that is read of a failure: a page of a proxy can be of any size. */
const MAX_MESSAGE_BYTES = 65_536;

export async function requireResult(
  url: string,
  { stream, response_headers: headers, http_status_code: status = 0 }: Answer,
): Promise<void> {
  const code = headers['x-clickhouse-exception-code'];
  const isOfClickHouse = headers['x-clickhouse-query-id'] !== undefined;
  if (code === undefined && isOfClickHouse && status >= 200 && status < 300) return;
  const text = await readStart(stream);
  if (code !== undefined) throw toClickHouseError(String(code), text);
  const { location } = headers;
  const said = location === undefined ? textOfPage(text) : `to ${location}`;
  throw new InvalidAnswerError(
    `${url} has answered with status ${status} (${said}), and not with an answer of ClickHouse: check the proxy, or the address in CLICKHOUSE_URL`,
  );
}

async function readStart(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk;
      // Leaving the loop closes the connection.
      if (text.length > MAX_MESSAGE_BYTES) break;
    }
  } catch {
    // If the rest cannot be read, the status and the start are enough for the message.
  }
  return text;
}

/** The client does not parse an error without a type in parentheses, such as one of a library, or a message that is cut. */
function toClickHouseError(code: string, text: string): ClickHouseError {
  const parsed = parseError(text);
  if (code === '516') {
    const message = `${parsed.message.trim()} Set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD to a user of this server.`;
    return new ClickHouseError({ code, type: 'AUTHENTICATION_FAILED', message });
  }
  return parsed instanceof ClickHouseError
    ? parsed
    : new ClickHouseError({ code, type: 'UNKNOWN', message: text.trim() || `error ${code}` });
}

function textOfPage(text: string): string {
  const line = text.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>|\s+/gi, ' ').replace(/ +/g, ' ');
  return line.trim().slice(0, 80) || 'an empty body';
}

const NO_END = Buffer.alloc(0);
/** Readers do not get this end. */
const MARK_OF_END = Buffer.from(TEXT_END);

const ENDS: Readonly<Record<string, Buffer>> = {
  CustomSeparated: MARK_OF_END,
  CustomSeparatedWithNames: MARK_OF_END,
  Parquet: Buffer.from('PAR1'),
  ArrowStream: Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
};

const LINES = new Set(['TSVRaw', 'TabSeparated', 'JSONEachRow', 'JSONCompactEachRow']);
const LINE_FEED = 10;

/** @throws {InvalidAnswerError} if bytes are missing of an answer that the server sent after its statement ended */
export function requireWhole(headers: IncomingHttpHeaders, bytes: Buffer): Buffer {
  const { end, rows } = expectationOf(headers, true);
  const isNative = headers['x-clickhouse-format'] === 'Native';
  const isOfRows = isNative
    ? countRowsOfBlocks(bytes) === rowsOf(headers)
    : rows === undefined || countLines(bytes) === rows;
  const last = bytes.length - end.length;
  if (!isOfRows || !isComplete(end, bytes.subarray(Math.max(0, last)), last)) throw cutShort();
  return end === MARK_OF_END ? bytes.subarray(0, last) : bytes;
}

/** @param before how many bytes precede `last`: a Parquet file starts with the same bytes, so they are no end at its start */
function isComplete(end: Buffer, last: Buffer, before: number): boolean {
  return last.equals(end) && (end === NO_END || end === MARK_OF_END || before > 0);
}

/** How an answer shows that it is complete: by its last bytes, or by the number of lines that a header states. */
function expectationOf(headers: IncomingHttpHeaders, hasEnded: boolean) {
  const format = String(headers['x-clickhouse-format']);
  const end = ENDS[format] ?? NO_END;
  const rows = hasEnded && LINES.has(format) ? rowsOf(headers) : undefined;
  return { end, rows };
}

function rowsOf(headers: IncomingHttpHeaders): number {
  const [, rows] = /"result_rows":"(\d+)"/.exec(String(headers['x-clickhouse-summary'])) ?? [];
  if (rows !== undefined) return Number(rows);
  throw new InvalidAnswerError(
    'An answer of ClickHouse states no rows: a proxy before it must pass the headers X-ClickHouse-… on',
  );
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

function cutShort(): InvalidAnswerError {
  return new InvalidAnswerError(
    'The answer of ClickHouse was cut short on its way: check the proxy before it',
  );
}

/**
 * Passes the bytes of an answer on and fails where they are not complete, or where the server reports an exception among
 * them: it can no longer change status 200, so it writes `\r\n__exception__\r\n<tag>\r\n<message>` and breaks the connection.
 * The tag is random, and a header has it, so no data looks like it. It and the mark of `WITH_END` are not passed on.
 *
 * @param hasEnded whether the statement had ended before the server sent the headers, which then state the rows
 */
export function passWhole(headers: IncomingHttpHeaders, hasEnded: boolean): Transform {
  const tag = String(headers['x-clickhouse-exception-tag'] ?? '');
  const marker = Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  const { end, rows } = expectationOf(headers, hasEnded);
  let [lines, length] = [0, 0];
  /** The last bytes so far: those that may be the end of the answer, or begin the marker. */
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const at = bytes.indexOf(marker);
      if (at >= 0) return done(parseError(bytes.toString('utf8', at + marker.length)));
      length += chunk.length;
      if (rows !== undefined) lines += countLines(chunk);
      const passed = bytes.length - Math.max(end.length, prefixAtEnd(bytes, marker));
      held = bytes.subarray(Math.max(0, passed));
      done(null, bytes.subarray(0, Math.max(0, passed)));
    },
    flush(done) {
      const last = held.length - end.length;
      const isWhole = isComplete(end, held.subarray(Math.max(0, last)), length - end.length);
      if (!isWhole || (rows !== undefined && lines !== rows)) return done(cutShort());
      done(null, end === MARK_OF_END ? held.subarray(0, last) : held);
    },
  });
}

/** How many bytes at the end are the first bytes of the marker. */
function prefixAtEnd(bytes: Buffer, marker: Buffer): number {
  const first = marker[0];
  for (let at = Math.max(0, bytes.length - marker.length + 1); at < bytes.length; at += 1)
    if (bytes[at] === first && bytes.compare(marker, 0, bytes.length - at, at) === 0)
      return bytes.length - at;
  return 0;
}
