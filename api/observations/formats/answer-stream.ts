import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Coverage } from '../../../clickhouse/coverage/coverage.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import type { RunQuery, RunStream } from '../../ops/query-limits.ts';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { sendStream } from './send-stream.ts';
import { setEncoding } from './stream-encoding.ts';
import { setStreamHeaders } from './stream-headers.ts';

/** What the headers of a stream say. */
type StreamHead = { readonly coverage: Coverage; readonly nextCursor: string | undefined };

/** What answers a request with a stream: its coverage is read before its rows (D16). */
export type StreamAnswer = {
  readonly stations: readonly string[];
  readHead(signal: AbortSignal): Promise<StreamHead>;
  open(signal: AbortSignal): Promise<StreamHead & { readonly bytes: Readable }>;
};

/** Answers a request with all its rows in one stream (D33). */
export type AnswerStream = (
  ctx: Context,
  format: StreamFormat,
  answer: StreamAnswer,
  client: QueuedRequest,
) => Promise<void>;

/** The coverage of a station, while it is made. */
const STATION_BYTES = 512;

export function streamAnswerer(runQuery: RunQuery, runStream: RunStream): AnswerStream {
  return async (ctx, format, { stations, readHead, open }, client) => {
    const setHeaders = ({ coverage, nextCursor }: StreamHead) => {
      setStreamHeaders(ctx, format, coverage.status, nextCursor);
      return setEncoding(ctx, format);
    };
    if (ctx.method === 'HEAD') {
      setHeaders(await runQuery(readHead, client, stations.length * STATION_BYTES));
      return;
    }
    await runStream(open, (answer) => sendStream(ctx, answer.bytes, setHeaders(answer)), client);
  };
}
