import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Coverage } from '../../../clickhouse/coverage/coverage.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import type { ArchiveQueries } from '../../ops/query-limits.ts';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { sendStream } from './send-stream.ts';
import { setEncoding } from './stream-encoding.ts';
import { setStreamHeaders } from './stream-headers.ts';

/** The content of a stream's headers. */
type StreamHead = { readonly coverage: Coverage; readonly nextCursor: string | undefined };

/** An answer that is a stream: its coverage is read before its rows (D16). */
export type StreamAnswer = {
  readonly stations: readonly string[];
  readHead(signal: AbortSignal): Promise<StreamHead>;
  open(signal: AbortSignal): Promise<StreamHead & { readonly bytes: Readable }>;
};

/** The coverage of a station, while being built. */
const STATION_BYTES = 512;

/** Answers a request with all its rows in one stream. */
export async function answerStream(
  ctx: Context,
  format: StreamFormat,
  { stations, readHead, open }: StreamAnswer,
  client: QueuedRequest,
  queries: ArchiveQueries,
): Promise<void> {
  const setHeaders = ({ coverage, nextCursor }: StreamHead) => {
    setStreamHeaders(ctx, format, coverage.status, nextCursor);
    return setEncoding(ctx, format);
  };
  if (ctx.method === 'HEAD') {
    setHeaders(await queries.runQuery(readHead, client, stations.length * STATION_BYTES));
    return;
  }
  await queries.runStream(open, (answer) => sendStream(ctx, answer.bytes, setHeaders(answer)), client);
}
