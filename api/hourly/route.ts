import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type HourlyPosition, nextOfStream, openHourly, readHourlyPage } from '../../clickhouse/hourly.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { limitKindOf, type Query, readQuery } from '../contract/query.ts';
import { acceptRequest, type Service } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope, elementsOf, formatPaging, textOf } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import { sendStream, setStreamHeaders, wouldBeCut } from '../observations/send-stream.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import { HOURLY, type HoursRequest, hoursOf } from './endpoint.ts';

/** A row and its text, which exist at the same time. */
const ROW_BYTES = 1024;
const STATION_BYTES = 512;

/**
 * `GET /v1/history/hourly` (D46), as a page of JSON or a stream in another format. The order of the stages is the order
 * of refusals (D25).
 */
export async function answerHourly(ctx: Context, service: Service): Promise<void> {
  const { states } = service;
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const query = readQuery(HOURLY, ctx.querystring, limitKindOf(format, allowance.plan)); // 400
  const { limit, after } = query;
  const asked = hoursOf(query.values);
  addLogFields(ctx.req, { format, stations: asked.stations.length });
  if (format !== 'json') return streamHourly(ctx, format, asked, query, client, service); // 400, 503, 504
  const { page, coverage } = await service.queries.runQuery(
    async (archive, signal) => {
      // Read before the rows, so that coverage never claims more than they hold (D16).
      const known = await states.read([...asked.stations, ALL_STATIONS], signal);
      const covered = await readCoverage(archive, asked, known.states);
      return { coverage: covered, page: await readHourlyPage(archive, { ...asked, limit, after }) };
    },
    client,
    limit * ROW_BYTES + asked.stations.length * STATION_BYTES,
  ); // 503, 504

  const nextCursor = page.next && writeCursor(page.next, query);
  addLogFields(ctx.req, { records: page.rows.length });
  const meta = { members: formatPaging(nextCursor), coverage: textOf(JSON.stringify(coverage)) };
  const envelope = buildEnvelope(elementsOf(page.rows), meta, allowance);
  await sendJson(ctx, envelope, nextCursor, client, service.bodies); // 503 overloaded
}

/** Answers with all rows in one stream. The coverage is read before the rows. */
async function streamHourly(
  ctx: Context,
  format: StreamFormat,
  asked: HoursRequest,
  query: Query<HourlyPosition>,
  client: QueuedRequest,
  { states, queries }: Service,
): Promise<void> {
  const { limit, after, isWhole } = query;
  const request = { ...asked, limit, after };
  const next = nextOfStream(request);
  if (isWhole && next !== undefined)
    throw wouldBeCut(
      `one response holds at most ${limit.toLocaleString('en')} hours of all stations together`,
    );
  const readHead = async (archive: Archive, signal: AbortSignal) => {
    const known = await states.read([...asked.stations, ALL_STATIONS], signal);
    const { status } = await readCoverage(archive, asked, known.states);
    return { status, nextCursor: next && writeCursor(next, query) };
  };
  if (ctx.method === 'HEAD') {
    const head = await queries.runQuery(readHead, client, asked.stations.length * STATION_BYTES);
    setStreamHeaders(ctx, format, head);
    return;
  }
  const open = async (archive: Archive, signal: AbortSignal) => ({
    head: await readHead(archive, signal),
    bytes: await openHourly(archive, request, format),
  });
  const { head, bytes } = await queries.openStream(open, client);
  try {
    await sendStream(ctx, format, head, bytes);
  } finally {
    client.leave('stream');
  }
}
