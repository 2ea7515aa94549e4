import type { Context } from 'koa';
import { type CoverageDetails, readCoverageDetails } from '../../clickhouse/coverage/coverage.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import {
  type DaySet,
  dayRangesOf,
  dayStart,
  FIRST_DAY,
  firstProvisionalDay,
} from '../../clickhouse/model/day.ts';
import {
  calendarYears,
  clampToArchive,
  NO_TIME,
  type StationRange,
} from '../../clickhouse/model/time-window.ts';
import { readEarlierTime } from '../../clickhouse/server-time.ts';
import { buildEnvelope, formatTime, jsonText } from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import type { RouteContext } from '../compose.ts';
import { readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { COVERAGE } from './endpoint.ts';

/** Memory of a station-year: its rows, objects and text, which exist at the same time. */
const YEAR_BYTES = 1024;

export async function answerCoverage(ctx: Context, context: RouteContext): Promise<void> {
  const { allowance, client } = await acceptRequest(ctx, COVERAGE.mediaTypes, context); // 503, 429, 405, 401, 406, 400
  const clock = new Date();
  const { values: asked } = readQuery(COVERAGE, ctx.querystring, 'page', defaultRange(clock)); // 400 invalid_parameter
  const { texts, ...total } = await context.queries.runQuery(
    async (archive, signal) => {
      // If the clock of this process is ahead, it must not call days due that are not over (D70).
      const now = await readEarlierTime(archive, clock);
      const hasEnd = new URLSearchParams(ctx.querystring).has('to');
      const range = hasEnd ? asked : { ...asked, to: Math.min(asked.to, dayStart(firstProvisionalDay(now))) };
      const { states } = await context.states.current([...range.stations, ALL_STATIONS], signal);
      const { stations, ...total } = await readCoverageDetails(archive, range, now, states);
      const texts: string[] = [];
      // Each station is formatted as it arrives: the days of a thousand stations take more memory than their text.
      for await (const details of stations) texts.push(formatCoverage(details));
      return { ...total, texts };
    },
    client,
    bytesOfCoverage(asked, clock),
  ); // 503, 504

  addLogFields(ctx.req, { stations: texts.length });
  const envelope = buildEnvelope(
    jsonText(texts.join()),
    { coverage: jsonText(`"coverage":${JSON.stringify(total)}`) },
    allowance,
  );
  await sendJson(ctx, envelope, undefined, client); // 503 overloaded
}

/** All days that are at least 72 hours old. */
export function defaultRange(now: Date) {
  return { from: `${FIRST_DAY}T00:00:00Z`, to: `${firstProvisionalDay(now)}T00:00:00Z` };
}

function bytesOfCoverage({ stations, ...range }: StationRange, now: Date): number {
  const years = calendarYears(clampToArchive(range) ?? NO_TIME).filter(
    (year) => year <= now.getUTCFullYear(),
  );
  return stations.length * Math.max(1, years.length) * YEAR_BYTES;
}

/** The element of `data` for one station, as JSON (D34). `JSON.stringify` omits unknown values. */
function formatCoverage(station: CoverageDetails): string {
  const { years, gaps, notDue, silent } = station;
  return JSON.stringify({
    ...station,
    years: years.map((year) => ({
      ...year,
      firstReport: formatTime(year.firstReport),
      lastReport: formatTime(year.lastReport),
    })),
    gaps: formatDays(gaps),
    notDue: formatDays(notDue),
    silent: formatDays(silent),
  });
}

function formatDays(days: DaySet) {
  return dayRangesOf(days).map(({ firstDay, endDay }) => ({
    from: `${firstDay}T00:00:00Z`,
    to: `${endDay}T00:00:00Z`,
  }));
}
