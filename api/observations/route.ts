import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { openStream } from '../../clickhouse/observations/stream/stream.ts';
import { CutRangeError, fixRange } from '../../clickhouse/observations/stream/stream-range.ts';
import { nameStations } from '../answers/area.ts';
import { readStatesAndCoverage } from '../answers/coverage.ts';
import { buildEnvelope, formatPaging } from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import { answerStream, wouldBeCut } from '../answers/send-stream.ts';
import type { RouteContext } from '../compose.ts';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { limitKindOf, type Query, readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { cursorPosition, OBSERVATIONS, selectionOf, withLastHours } from './endpoint.ts';
import { readPage } from './pages.ts';

/**
 * `GET /v1/history/observations`, as a page of JSON or as a stream in another format. Each stage uses values of earlier
 * stages, and the order of the stages is the order of refusals (D25). Requests for an unknown path (404) do not get
 * here: see `answerNotFound` in app.ts.
 */
export async function answerObservations(ctx: Context, context: RouteContext): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
  const asked = withLastHours(readQuery(OBSERVATIONS, ctx.querystring, limitKindOf(format, allowance.plan))); // 400
  const query = await nameStations(context, asked, client); // 400, 503, 504
  const selection = selectionOf(query.values);
  if (format !== 'json') return streamRecords(ctx, context, client, { format, selection, query }); // 503, 504
  const { limit, after, dataKey } = query;
  const { page, coverage } = await readPage(
    context,
    { ...selection, limit, after, filtersKey: dataKey },
    client,
  ); // 503, 504

  const nextCursor = page.next && writeCursor(cursorPosition(page.next, query.values), query);
  addLogFields(ctx.req, { stations: selection.stations.length, records: page.count });
  const envelope = buildEnvelope(page.text, { members: formatPaging(nextCursor), coverage }, allowance);
  await sendJson(ctx, envelope, nextCursor, client); // 503 overloaded
}

/**
 * Answers a request with all its records in one stream. The coverage is read before the records (D16), and the range's
 * end is fixed before the first byte: headers give both.
 *
 *     coverage -> engine, end of the range -> headers -> compression -> client
 *
 * Only data in transit is in memory: the engine waits for the client.
 */
async function streamRecords(
  ctx: Context,
  context: RouteContext,
  client: QueuedRequest,
  { format, selection, query }: { format: StreamFormat; selection: Selection; query: Query<Position> },
): Promise<void> {
  const { limit, after, isWhole } = query;
  addLogFields(ctx.req, { format, stations: selection.stations.length });
  const open = async (archive: Archive, signal: AbortSignal) => {
    const { states, parts, coverage } = await readStatesAndCoverage(context, archive, selection, signal);
    const request = { ...selection, format, limit, after, isWhole, states, parts };
    const range = await fixRange(archive, request);
    const bytes = ctx.method === 'HEAD' ? undefined : await openStream(archive, request, range);
    const nextCursor = range.last && writeCursor(cursorPosition(range.last, query.values), query);
    const head = { format, coverage, nextCursor, stations: selection.stations, times: selection };
    return { head, bytes };
  };
  try {
    await answerStream(ctx, context, client, { stations: selection.stations, open });
  } catch (error) {
    throw error instanceof CutRangeError ? wouldBeCut(error.message) : error;
  }
}
