import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import type { RouteContext } from '../compose.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { isDate } from '../contract/parse-values.ts';
import { createCompressor, ENCODINGS, type Encoding, preferredEncoding } from '../http/compression.ts';
import { addLogFields } from '../http/request-log.ts';
import { CLIENT_TIMEOUT_MS, closeIfSilent, type ReadingTimeouts } from '../http/slow-clients.ts';
import type { Work } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { invalidParameter, type Problem } from '../problem.ts';
import { type CoverageText, STATION_BYTES } from './coverage.ts';
import { formatTime, pagingHeaders } from './envelope.ts';
import { setLinks } from './send-json.ts';

const CONTENT_TYPES: Readonly<Record<StreamFormat, string>> = {
  ...MEDIA_TYPES,
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
};

/** What the headers of a stream tell: it has no `meta`. */
export type StreamHead = {
  readonly format: StreamFormat;
  readonly coverage: Pick<CoverageText, 'status' | 'silentDays' | 'sources'>;
  readonly nextCursor?: string | undefined;
  /** The codes of the stations, if the request can name an area instead. */
  readonly stations?: readonly string[];
  /** The times at which a range of days starts and ends, for the link to the coverage. */
  readonly times?: TimeWindow;
  /** Stations whose zone is unknown (D64). */
  readonly inUtc?: readonly string[];
};

/** `records` is the number of records, once all have been read; `windows` how many windows of records have been read. */
type StreamBytes = Readable & { readonly records?: number; readonly windows?: number };

/** The most characters of a list of codes in a header. */
const LONGEST_LIST = 2048;

/** The parameters of a request on which its coverage depends. */
const COVERAGE_PARAMETERS = ['stations', 'from', 'to'];

const TIMEOUTS: ReadingTimeouts = { clientMs: CLIENT_TIMEOUT_MS, storageMs: 60_000 };

/**
 * Sets the headers of a stream (D33), which are sent before its first byte. These formats have no entity tag, because it
 * would be known only after the last byte.
 *
 * @returns the compression that `Accept-Encoding` prefers, for a text format
 */
export function setStreamHeaders(ctx: Context, head: StreamHead): Encoding | undefined {
  const { format, coverage, nextCursor, stations, times, inUtc = [] } = head;
  ctx.status = 200;
  ctx.set({
    'Content-Type': CONTENT_TYPES[format],
    'Cache-Control': 'private, no-store',
    'X-Coverage-Status': coverage.status,
    'X-Coverage-Silent-Days': String(coverage.silentDays),
    ...(coverage.sources.length > 0 && { 'X-Sources': coverage.sources.join() }),
    ...pagingHeaders(nextCursor),
  });
  const codes = inUtc.join();
  if (codes !== '') ctx.set('X-Stations-In-UTC', codes.length <= LONGEST_LIST ? codes : `${inUtc.length}`);
  const parameters = [...new URLSearchParams(ctx.querystring)];
  const covered = new URLSearchParams(parameters.filter(([name]) => COVERAGE_PARAMETERS.includes(name)));
  if (stations && !covered.has('stations')) covered.set('stations', stations.join());
  for (const name of ['from', 'to'] as const)
    if (times && (!covered.has(name) || isDate(covered.get(name) ?? '')))
      covered.set(name, formatTime(times[name]));
  setLinks(ctx, nextCursor, covered);
  ctx.set('Content-Disposition', `attachment; filename="${fileNameOf(ctx, covered)}.${format}"`);
  const isText = format === 'ndjson' || format === 'csv';
  const encoding = isText ? preferredEncoding(ctx, ENCODINGS) : undefined;
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  return encoding;
}

/** `observations-KJFK-2024-01-01-2025-01-01`: endpoint, stations (their number if more than three), days that the request names. */
function fileNameOf({ path, query }: Context, covered: URLSearchParams): string {
  const stations = [...new Set(covered.getAll('stations').join().split(','))];
  const days = ['from', 'to'].map((name) => String(query[name] ?? covered.get(name) ?? '').slice(0, 10));
  const [endpoint = ''] = path.split('/').slice(-1);
  const codes = stations.length > 3 ? [`${stations.length}-stations`] : stations;
  return [endpoint.replace(/\..*/, ''), ...codes, ...days].filter(Boolean).join('-');
}

/**
 * Sends a stream as fast as its client reads. If the stream fails, the connection is reset, because an HTTP/1.0 client would
 * take a normal end of the connection for the end of the body.
 */
export async function sendStream(ctx: Context, head: StreamHead, bytes: StreamBytes, timeouts = TIMEOUTS) {
  const encoding = setStreamHeaders(ctx, head);
  const { req, res, app } = ctx;
  const { socket } = req;
  if (res.closed || socket.destroyed) return void bytes.destroy();
  ctx.respond = false;
  // The headers are not counted among the bytes of the body.
  res.flushHeaders();
  const bytesBefore = socket.bytesWritten;
  // Runs before the listener that logs the request.
  res.prependOnceListener('close', () => {
    addLogFields(req, { bytes: socket.bytesWritten - bytesBefore, records: bytes.records });
  });
  closeIfSilent(ctx, timeouts, bytes);
  bytes.once('error', (error) => {
    // A client that disconnects also ends the stream with an error.
    if (res.closed || socket.destroyed) return;
    addLogFields(req, { code: 'storage_unavailable' });
    socket.resetAndDestroy();
    app.emit('error', error, ctx);
  });
  try {
    const compressed = encoding === undefined ? [] : [createCompressor(encoding, 'stream')];
    await pipeline([bytes, ...compressed, res]);
  } catch {
    // The listener above has reported it.
  }
}

type StreamSource = {
  readonly stations: readonly string[];
  /** Reads the head, then opens the bytes. A HEAD request has no bytes. */
  readonly open: Work<{ readonly head: StreamHead; readonly bytes: StreamBytes | undefined }>;
};

/** Answers with a stream, which holds one place of the queue from its first statement to its last byte. */
export async function answerStream(
  ctx: Context,
  { queries }: Pick<RouteContext, 'queries'>,
  client: QueuedRequest,
  { stations, open }: StreamSource,
): Promise<void> {
  if (ctx.method === 'HEAD') {
    const { head } = await queries.runQuery(open, client, stations.length * STATION_BYTES);
    setStreamHeaders(ctx, head);
    return;
  }
  const { head, bytes } = await queries.openStream(open, client);
  try {
    if (bytes) await sendStream(ctx, head, bytes);
  } finally {
    client.leave('stream');
  }
}

export function wouldBeCut(why: string): Problem {
  const detail = `must be given: ${why}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
  return invalidParameter('limit', detail);
}
