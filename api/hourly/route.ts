import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import {
  endOfStream,
  type HourlyPosition,
  type HourlyRequest,
  openHourly,
  readHourlyPage,
} from '../../clickhouse/hourly.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { type LocalRange, timesOf } from '../../clickhouse/zones/clocks.ts';
import { readClocksAndTexts } from '../../clickhouse/zones/local-texts.ts';
import { nameStations } from '../answers/area.ts';
import { readStatesAndCoverage, STATION_BYTES } from '../answers/coverage.ts';
import { buildEnvelope, elementsOf, formatPaging } from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import { answerStream, wouldBeCut } from '../answers/send-stream.ts';
import { zonesInMemory } from '../answers/zones.ts';
import type { RouteContext } from '../compose.ts';
import { describeTimeZone } from '../contract/answers.ts';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { limitKindOf, type Query, readQuery } from '../contract/query.ts';
import type { Values } from '../contract/values.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import { HOURLY, hoursOf } from './endpoint.ts';

/** A row and its text, which exist at the same time. */
const BYTES_OF_HOUR = 1024;

/** `GET /v1/history/hourly` (D46), as a page of JSON or a stream. The order of the stages is that of refusals (D25). */
export async function answerHourly(ctx: Context, context: RouteContext): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
  const asked = readQuery(HOURLY, ctx.querystring, limitKindOf(format, allowance.plan)); // 400
  const query = await nameStations(context, asked, client); // 400, 503, 504
  const { limit, after } = query;
  const { stations, from, to, isOfDays, tz } = query.values;
  addLogFields(ctx.req, { format, stations: stations.length });
  const range = { stations, from, to, timeZone: tz.timeZone, ...(isOfDays && { isOfDays }) };
  const { times, inUtc, local } = await readTimes(context, range, query.values, client); // 503, 504
  const request = { ...hoursOf(query.values), ...times, local, limit, after };
  if (format !== 'json') return streamHourly(ctx, context, client, { format, request, inUtc, query }); // 400, 503, 504
  const { page, coverage } = await context.queries.runQuery(
    async (archive, signal) => ({
      ...(await readStatesAndCoverage(context, archive, request, signal)),
      page: await readHourlyPage(archive, request),
    }),
    client,
    limit * BYTES_OF_HOUR + request.stations.length * STATION_BYTES,
  ); // 503, 504

  const nextCursor = page.next && writeCursor(page.next, query);
  addLogFields(ctx.req, { records: page.rows.length });
  const zone = JSON.stringify(describeTimeZone(tz.tz, inUtc));
  const meta = { members: `${formatPaging(nextCursor)},"tz":${zone}`, coverage };
  const envelope = buildEnvelope(elementsOf(page.rows), meta, allowance);
  await sendJson(ctx, envelope, nextCursor, client); // 503 overloaded
}

/** The times of a range, and how they are printed; those of days, and local ones, are read from the zones of stations. */
async function readTimes(
  { cache, queries }: RouteContext,
  range: LocalRange,
  { times }: Pick<Values, 'times'>,
  client: QueuedRequest,
) {
  const { stations, from, to } = range;
  if (!range.isOfDays && times === 'utc')
    return { times: { stations, from, to }, local: undefined, inUtc: [] };
  return await queries.runQuery(
    async (archive) => {
      const { clocks, local, inUtc } = await readClocksAndTexts(archive, range, times, zonesInMemory(cache));
      return { times: timesOf(range, clocks), local, inUtc };
    },
    client,
    stations.length * STATION_BYTES,
  );
}

async function streamHourly(
  ctx: Context,
  context: RouteContext,
  client: QueuedRequest,
  {
    format,
    request,
    inUtc,
    query,
  }: {
    readonly format: StreamFormat;
    readonly request: HourlyRequest;
    readonly inUtc: readonly string[];
    readonly query: Query<HourlyPosition>;
  },
): Promise<void> {
  const { rows, next } = endOfStream(request);
  if (query.isWhole && next !== undefined)
    throw wouldBeCut(
      `the range holds ${rows.toLocaleString('en')} hours of all stations together, and one response at most ${query.limit.toLocaleString('en')}`,
    );
  const nextCursor = next && writeCursor(next, query);
  const open = async (archive: Archive, signal: AbortSignal) => {
    const { coverage } = await readStatesAndCoverage(context, archive, request, signal);
    const bytes = ctx.method === 'HEAD' ? undefined : await openHourly(archive, request, format);
    const head = { format, coverage, nextCursor, times: request, inUtc, stations: request.stations };
    return { head, bytes };
  };
  await answerStream(ctx, context, client, { stations: request.stations, open });
}
