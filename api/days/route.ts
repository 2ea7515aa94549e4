import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { TIME_AROUND_DAYS } from '../../clickhouse/days/day-records.ts';
import { areOver, readDaysUntilNow } from '../../clickhouse/days/days-until-now.ts';
import {
  extentOf,
  openRecords,
  type RecordRequest,
  type RecordTable,
  readRecordPage,
} from '../../clickhouse/days/read-records.ts';
import type { RecordPosition } from '../../clickhouse/days/record-grid.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { timesOf } from '../../clickhouse/zones/clocks.ts';
import { readClocksAndTexts } from '../../clickhouse/zones/local-texts.ts';
import { nameStations } from '../answers/area.ts';
import { type CoverageText, readStatesAndCoverage, STATION_BYTES } from '../answers/coverage.ts';
import { buildEnvelope, formatPaging, toCachedText } from '../answers/envelope.ts';
import { type CachedRows, findRows, keyOfRows } from '../answers/rows-in-memory.ts';
import { sendJson } from '../answers/send-json.ts';
import { answerStream, wouldBeCut } from '../answers/send-stream.ts';
import { zonesInMemory } from '../answers/zones.ts';
import type { RouteContext } from '../compose.ts';
import { describeTimeZone } from '../contract/answers.ts';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { limitKindOf, type Query, readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import type { RecordEndpoint } from './endpoint.ts';

/** A record and its text, which exist at the same time. */
const ROW_BYTES = 1024;

/**
 * `GET /v1/history/daily`, `monthly` and `normals` (D72, D73), as a page of JSON or a stream in another format. The order of
 * the stages is the order of refusals (D25).
 */
export const answerRecords =
  (endpoint: RecordEndpoint) =>
  async (ctx: Context, context: RouteContext): Promise<void> => {
    const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
    const asked = readQuery(endpoint, ctx.querystring, limitKindOf(format, allowance.plan)); // 400
    const query = await nameStations(context, asked, client); // 400, 503, 504
    const { stations, tz } = query.values;
    addLogFields(ctx.req, { format, stations: stations.length });
    const records = { table: endpoint.table, query };
    if (format !== 'json') return streamRecords(ctx, context, client, { ...records, format }); // 400, 503, 504
    const { page, coverage, inUtc } = await context.queries.runQuery(
      async (archive, signal) => {
        const { request, coverage, inUtc } = await prepare(context, archive, records, signal);
        return { coverage, inUtc, page: await readPage(context, request, query, coverage) };
      },
      client,
      query.limit * ROW_BYTES + stations.length * STATION_BYTES,
    ); // 503, 504
    const nextCursor = page.next && writeCursor(page.next, query);
    addLogFields(ctx.req, { records: page.count });
    const zone = JSON.stringify(describeTimeZone(tz.tz, inUtc));
    const meta = { members: `${formatPaging(nextCursor)},"tz":${zone}`, coverage };
    const envelope = buildEnvelope(page, meta, allowance);
    await sendJson(ctx, envelope, nextCursor, client); // 503 overloaded
  };

type CachedPage = CachedRows & { readonly count: number; readonly next: RecordPosition | undefined };

/** The page in memory, or else of the archive. How much of a day is over changes with the time, so such a page is not kept. */
async function readPage(
  context: RouteContext,
  request: RecordRequest,
  { dataKey, limit, values }: Query<RecordPosition>,
  coverage: CoverageText,
): Promise<CachedPage> {
  const key = keyOfRows([dataKey, limit, request.after, request.local?.params], request.clocks);
  const known = findRows<CachedPage>(context, key, coverage);
  if (known !== undefined) return known;
  const readFrom = context.states.clock.now;
  const { records, next } = await readRecordPage(request);
  const page = { ...toCachedText(records.bytes), readFrom, count: records.count, next };
  if (areOver(values.to)) context.cache.set(key, page);
  return page;
}

type RecordsAsked = { readonly table: RecordTable; readonly query: Query<RecordPosition> };

/** @returns `times` the times of the days, `inUtc` the stations whose days are those of UTC */
async function prepare(
  context: RouteContext,
  archive: Archive,
  { table, query }: RecordsAsked,
  signal: AbortSignal,
) {
  const { stations, from, to, tz, isOfDays, order, condition } = query.values;
  const { fields = [...table.fields.keys()] } = query.values;
  const range = { stations, from, to, timeZone: tz.timeZone, ...(isOfDays && { isOfDays }) };
  const { clocks, local, inUtc } = await readClocksAndTexts(
    archive,
    { ...range, from: from - TIME_AROUND_DAYS },
    query.values.times,
    zonesInMemory(context.cache),
  );
  const request: RecordRequest = {
    archive,
    table,
    signal,
    days: await readDaysUntilNow(archive, { from, to }),
    clocks,
    fields,
    condition,
    local,
    isDescending: order === 'desc',
    limit: query.limit,
    after: query.after,
  };
  const times = timesOf(range, clocks);
  const { coverage } = await readStatesAndCoverage(context, archive, times, signal);
  return { request, coverage, times, inUtc };
}

async function streamRecords(
  ctx: Context,
  context: RouteContext,
  client: QueuedRequest,
  { format, ...records }: RecordsAsked & { readonly format: StreamFormat },
): Promise<void> {
  const { query } = records;
  const { stations } = query.values;
  const open = async (archive: Archive, signal: AbortSignal) => {
    const { request, coverage, times, inUtc } = await prepare(context, archive, records, signal);
    const extent = await extentOf(request, query.isWhole);
    const { next, records: count = 0 } = extent;
    if (query.isWhole && next !== undefined)
      throw wouldBeCut(
        `one response holds at most ${query.limit.toLocaleString('en')} records, and these are ${count.toLocaleString('en')}`,
      ); // 400
    const nextCursor = next && writeCursor(next, query);
    return {
      head: { format, coverage, nextCursor, times, inUtc, stations },
      bytes: ctx.method === 'HEAD' ? undefined : await openRecords(request, format, extent),
    };
  };
  await answerStream(ctx, context, client, { stations, open });
}
