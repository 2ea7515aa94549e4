import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { areOver } from '../../clickhouse/days/days-until-now.ts';
import { extentOf, type GridRows, openGrid, readGridPage } from '../../clickhouse/grid-rows.ts';
import { type LocalTimes, readLocalTimes } from '../../clickhouse/zones/local-texts.ts';
import type { RouteContext } from '../compose.ts';
import { describeTimeZone } from '../contract/answers.ts';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES, type QueryEndpoint } from '../contract/endpoint.ts';
import { limitKindOf, type Query, readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { nameStations } from './area.ts';
import { readStatesAndCoverage, STATION_BYTES } from './coverage.ts';
import { buildEnvelope, formatPaging, toCachedText } from './envelope.ts';
import { rowsInMemory, zonesInMemory } from './rows-in-memory.ts';
import { sendJson } from './send-json.ts';
import { answerStream, wouldBeCut } from './send-stream.ts';

/** Memory of a row and its text, which exist at the same time. */
const ROW_BYTES = 1024;

/**
 * Answers with rows whose hours or days are known before they are read (`GridRows`), as a page of JSON or a stream in another
 * format. The order of the stages is the order of refusals (D25).
 *
 * @param rowsOf describes the rows of a request, which are read later
 * @param describeCut the reason for refusing a stream without `limit`, from its number of rows and the most that it may have
 */
export const answerRows =
  <Position>(
    endpoint: QueryEndpoint<Position>,
    rowsOf: (
      archive: Archive,
      query: Query<Position>,
      read: LocalTimes,
      signal: AbortSignal,
    ) => Promise<GridRows<Position>> | GridRows<Position>,
    describeCut: (count: string, limit: string) => string,
  ) =>
  async (ctx: Context, context: RouteContext): Promise<void> => {
    const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
    const asked = readQuery(endpoint, ctx.querystring, limitKindOf(format, allowance.plan)); // 400
    const query = await nameStations(context, asked, client); // 400, 503, 504
    const { stations, tz } = query.values;
    addLogFields(ctx.req, { format, stations: stations.length });
    const prepare = async (archive: Archive, signal: AbortSignal) => {
      const range = { ...query.values, timeZone: tz.timeZone };
      // Only days and local times need the zones of stations. Other requests cannot give `tz`, and theirs is UTC.
      const read = await readLocalTimes(archive, range, range.times, zonesInMemory(context.cache));
      const rows = await rowsOf(archive, query, read, signal);
      const { coverage } = await readStatesAndCoverage(context, archive, read.times, signal);
      return { ...read, rows, coverage };
    };
    if (format !== 'json') {
      const open = async (archive: Archive, signal: AbortSignal) => {
        const { rows, ...head } = await prepare(archive, signal);
        const { count, next, ...extent } = await extentOf(rows, query.isWhole);
        if (query.isWhole && next !== undefined)
          throw wouldBeCut(describeCut(count.toLocaleString('en'), query.limit.toLocaleString('en'))); // 400
        return {
          head: { ...head, format, stations, nextCursor: next && writeCursor(next, query) },
          bytes: ctx.method === 'HEAD' ? undefined : await openGrid(rows, format, extent),
        };
      };
      return answerStream(ctx, context, client, { stations, open }); // 400, 503, 504
    }
    const readPage = async (archive: Archive, signal: AbortSignal) => {
      const prepared = await prepare(archive, signal);
      const { dataKey, limit, after, values } = query;
      // Values of a day that is not over change as time passes.
      const isLasting = areOver(values.to);
      const page = await rowsInMemory(context, [dataKey, limit, after], prepared, isLasting, async () => {
        const { records, next } = await readGridPage(prepared.rows);
        return { ...toCachedText(records.bytes), count: records.count, next };
      });
      return { ...prepared, page };
    };
    const bytes = query.limit * ROW_BYTES + stations.length * STATION_BYTES;
    const { page, coverage, inUtc } = await context.queries.runQuery(readPage, client, bytes); // 503, 504
    const nextCursor = page.next && writeCursor(page.next, query);
    addLogFields(ctx.req, { records: page.count });
    const zone = JSON.stringify(describeTimeZone(tz.tz, inUtc));
    const meta = { members: `${formatPaging(nextCursor)},"tz":${zone}`, coverage };
    await sendJson(ctx, buildEnvelope(page, meta, allowance), nextCursor, client); // 503 overloaded
  };
