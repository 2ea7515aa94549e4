import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { readDayStatistics } from '../../clickhouse/days/day-statistics.ts';
import { areOver } from '../../clickhouse/days/days-until-now.ts';
import type { RowFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { readStatistics, TooManyRowsError } from '../../clickhouse/statistics/read-statistics.ts';
import { readLocalTimes } from '../../clickhouse/zones/local-texts.ts';
import { nameStations } from '../answers/area.ts';
import { type Memory, readCoverageText } from '../answers/coverage.ts';
import { buildEnvelope, toCachedText } from '../answers/envelope.ts';
import { rowsInMemory, zonesInMemory } from '../answers/rows-in-memory.ts';
import { sendJson } from '../answers/send-json.ts';
import { sendStream, setStreamHeaders } from '../answers/send-stream.ts';
import type { RouteContext } from '../compose.ts';
import { describeTimeZone } from '../contract/answers.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { countStationYears, requireFewRows, requireFewStationYears, tooManyRows } from './bounds.ts';
import { endpointOf, questionOf, type StatisticsRequest } from './endpoint.ts';

/** `GET /v1/history/statistics` (D45), in any format. The order of the stages is the order of refusals (D25). */
export async function answerStatistics(ctx: Context, context: RouteContext): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
  const asked = readQuery(endpointOf(ctx.querystring), ctx.querystring); // 400 invalid_parameter
  const { values, filtersKey } = await nameStations(context, asked, client); // 400, 503, 504
  const question = questionOf(values);
  addLogFields(ctx.req, { format, stations: question.stations.length });
  const answer = await readAnswer(context, { ...question, format, filtersKey }, client); // 400, 503, 504
  const { rows, coverage, inUtc, times } = answer;
  if (format === 'json') {
    const envelope = buildEnvelope(rows, { members: formatMeta(question, inUtc), coverage }, allowance);
    return sendJson(ctx, envelope, undefined, client); // 503 overloaded
  }
  await client.reserve(rows.size); // 503 overloaded
  const head = { format, coverage, inUtc, times, stations: question.stations };
  if (ctx.method === 'HEAD') return void setStreamHeaders(ctx, head);
  await sendStream(ctx, head, Readable.from([rows.text]));
}

/** The members of `meta` that tell how a question was interpreted, as JSON text. */
function formatMeta({ of, sample, tz, expanded }: StatisticsRequest, inUtc: readonly string[]): string {
  const { title: _, ...preset } = expanded ?? {};
  return JSON.stringify({
    ...(of === 'reports' && { sample }),
    tz: describeTimeZone(tz, inUtc),
    ...(expanded !== undefined && { expanded: preset }),
  }).slice(1, -1);
}

/** Questions over this many station-years take about 0.1 s, so they queue with the streams. */
const LARGE_STATION_YEARS = 25;

/** Memory of a station: its coverage, position and clock. */
const ASKED_STATION_BYTES = 1024;

type Readers = Memory & { readonly queries: Pick<ArchiveQueries, 'runQuery'> };

/** A question with the format of its answer and the key of its filters in memory. */
type AskedQuestion = StatisticsRequest & { readonly format: RowFormat; readonly filtersKey: string };

/**
 * Reads the answer to a question: first its coverage and how much it reads, which decide whether it may run, then the rows.
 *
 * @returns `rows` are the elements of `data`, or the whole body in a format other than JSON
 */
export async function readAnswer(service: Readers, question: AskedQuestion, client: QueuedRequest) {
  const { states, cache, queries } = service;
  const { format, filtersKey, stations } = question;
  const prepare = async (archive: Archive, signal: AbortSignal) => {
    const known = await states.current([...stations, ALL_STATIONS], signal);
    const stationYears = countStationYears(question, known.states);
    requireFewStationYears(question, stationYears); // 400
    const read = await readLocalTimes(archive, question, question.times, zonesInMemory(cache));
    const coverage = await readCoverageText(service, archive, read.times, known);
    return { ...read, coverage, isLarge: stationYears > LARGE_STATION_YEARS };
  };
  // The memory is reserved before the exact size is known, so that a question waits once, and not while it holds memory.
  const bytes = Math.max(requireFewRows(question), stations.length * ASKED_STATION_BYTES); // 400
  const prepared = await queries.runQuery(prepare, client, bytes);
  const { clocks, local, isLarge } = prepared;
  const readRows = (archive: Archive, signal: AbortSignal) => {
    // A large question leaves one processor for pages.
    const threads = isLarge ? Math.max(1, availableParallelism() - 1) : 1;
    const read = question.of === 'days' ? readDayStatistics : readStatistics;
    return read(archive, question, clocks, { format, threads, local, signal }).catch((error) => {
      throw error instanceof TooManyRowsError ? tooManyRows() : error;
    });
  };
  const read = () => queries.runQuery(readRows, client, 0, isLarge ? 'stream' : 'query');
  if (format !== 'json') {
    const file = await read();
    // A file has no entity tag (D33), so it needs no digest.
    return { ...prepared, rows: { text: file, digest: '', size: file.length } };
  }
  // Values of a day that is not over change as time passes.
  const isLasting = question.of === 'reports' || areOver(question.to);
  const readText = async () => toCachedText(await read());
  return { ...prepared, rows: await rowsInMemory(service, [filtersKey], prepared, isLasting, readText) };
}
