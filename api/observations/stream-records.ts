import type { Context } from 'koa';
import { readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { openRange } from '../../clickhouse/observations/stream/stream.ts';
import {
  CutRangeError,
  fixRange,
  JUDGED_ROWS,
  type StreamRange,
} from '../../clickhouse/observations/stream/stream-range.ts';
import { writeCursor } from '../contract/cursor.ts';
import type { Query } from '../contract/query.ts';
import type { Service } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import { invalidParameters, type Problem } from '../problem.ts';
import { type StreamHead, sendStream, setStreamHeaders } from './send-stream.ts';

/** The coverage of a station, while being built. */
const STATION_BYTES = 512;

/**
 * Answers a request with all its records in one stream. The coverage is read before the records (D16), and the range's
 * end is fixed before the first byte: headers give both.
 *
 *     coverage -> engine, end of the range -> headers -> compression -> client
 *
 * Only data in transit is in memory: the engine waits for the client.
 */
export async function streamRecords(
  ctx: Context,
  format: StreamFormat,
  selection: Selection,
  query: Query<Position>,
  client: QueuedRequest,
  { archive, states, queries }: Service,
): Promise<void> {
  const { limit, after, isWhole } = query;
  const request = { ...selection, limit, after };
  addLogFields(ctx.req, { format, stations: selection.stations.length });
  const readStatesAndStatus = async (signal: AbortSignal) => {
    const known = (await states.read([...selection.stations, ALL_STATIONS], signal)).states;
    const { status } = await readCoverage(archive, request, signal, known);
    return { known, status };
  };
  const nextOf = ({ last }: StreamRange) => last && writeCursor(last, query);
  const readHead = async (signal: AbortSignal): Promise<StreamHead> => {
    const { known, status } = await readStatesAndStatus(signal);
    return { status, nextCursor: nextOf(await fixRange(archive, request, isWhole, known, signal)) };
  };
  const open = async (signal: AbortSignal) => {
    const { known, status } = await readStatesAndStatus(signal);
    const { range, bytes } = await openRange(archive, request, isWhole, known, format, signal);
    return { head: { status, nextCursor: nextOf(range) }, bytes };
  };
  try {
    if (ctx.method === 'HEAD') {
      const head = await queries.runQuery(readHead, client, selection.stations.length * STATION_BYTES);
      setStreamHeaders(ctx, format, head);
      return;
    }
    const { head, bytes } = await queries.openStream(open, client);
    try {
      await sendStream(ctx, format, head, bytes);
    } finally {
      client.leave('stream');
    }
  } catch (error) {
    throw toCutProblem(error, limit);
  }
}

/** The error that a client gets if its range would be cut: why, and how to continue. */
export function toCutProblem(error: unknown, limit: number): unknown {
  if (!(error instanceof CutRangeError)) return error;
  const most = limit.toLocaleString('en');
  if (error.range.isShort === true)
    return wouldBeCut(
      `a condition is judged on at most ${JUDGED_ROWS.toLocaleString('en')} reports for one response, and the range holds more`,
    );
  if (error.rows === undefined)
    return wouldBeCut(
      `the condition is true for more than ${most} records, the most that one response holds`,
    );
  const count = error.rows.toLocaleString('en');
  return wouldBeCut(`the range holds about ${count} records, and one response at most ${most}`);
}

/** The problem of an answer that would be cut. */
export function wouldBeCut(why: string): Problem {
  const detail = `must be given: ${why}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
  return invalidParameters([{ name: 'limit', detail }]);
}
