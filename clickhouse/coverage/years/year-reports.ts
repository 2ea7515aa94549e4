import type { Archive } from '../../archive.ts';
import { yearOf } from '../../model/day.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { fromCurrentReports } from '../../statements/current-reports.ts';
import { selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';
import { stationsWithReports } from '../coverage.ts';
import { type ReportSpan, reportsWithin } from '../rules.ts';
import type { CoverageState } from '../state/state.ts';

/** A calendar year, or the part of it that is asked for. */
export type YearWindow = TimeWindow & { readonly year: number };

/** The reports of a station in such a window, in seconds since 1970-01-01T00:00:00Z. Unknown values are absent. */
export type YearReports = {
  readonly reports?: number;
  readonly firstReport?: number;
  readonly lastReport?: number;
};

/** By station and year; an entry says that there are reports. */
type ReportsByYear = ReadonlyMap<string, ReadonlyMap<number, YearReports>>;

/**
 * Reports are counted in at most this many station-years, about two million rows. Counting 378,273 reports of one
 * station costs the engine a third more than a page of 1,000 records.
 */
const MAX_STATION_YEARS_COUNTED = 200;

const COUNTS = readStatement('coverage/yearly_report_counts');

/**
 * The reports of stations by year. The coverage view has the first and last of a whole year. Their number, and the
 * first and last of a part of a year, are read if the stations have reports in few enough years.
 *
 * @param windows of one range, in their order
 */
export async function readYearReports(
  client: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<ReportsByYear> {
  const reports = new Map<string, Map<number, YearReports>>();
  const unknown = new Map<YearWindow, string[]>();
  let stationYears = 0;
  for (const [station, state] of states) {
    const spans = spansByYear(state.reports);
    const ofStation = new Map<number, YearReports>();
    for (const window of windows) {
      const ofYear = spans.get(window.year) ?? [];
      const found = reportsWithin(window, ofYear);
      if (found === 'unknown') unknown.set(window, [...(unknown.get(window) ?? []), station]);
      if (found === 'yes') ofStation.set(window.year, edgesWithin(window, ofYear));
      if (found !== 'no') stationYears += 1;
    }
    reports.set(station, ofStation);
  }
  if (stationYears <= MAX_STATION_YEARS_COUNTED)
    return countReports(client, [...states.keys()], windows, signal);
  for (const [window, stations] of unknown)
    for (const station of await stationsWithReports(client, stations, window, signal))
      reports.get(station)?.set(window.year, {});
  return reports;
}

function spansByYear(spans: readonly ReportSpan[]): ReadonlyMap<number, readonly ReportSpan[]> {
  const byYear = new Map<number, ReportSpan[]>();
  for (const span of spans) {
    const year = yearOf(span.first);
    byYear.set(year, [...(byYear.get(year) ?? []), span]);
  }
  return byYear;
}

/** The first and last report of the year where they lie in the window. */
function edgesWithin({ from, to }: TimeWindow, spans: readonly ReportSpan[]): YearReports {
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return { ...(first >= from && { firstReport: first }), ...(last < to && { lastReport: last }) };
}

async function countReports(
  client: Archive,
  stations: readonly string[],
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<ReportsByYear> {
  const counts = new Map<string, Map<number, YearReports>>();
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined) return counts;
  const rows = await selectRows<Required<YearReports> & { readonly station: string; readonly year: number }>(
    client,
    fromCurrentReports(COUNTS, { stations, from: first.from, to: last.to }),
    signal,
  );
  for (const { station, year, ...found } of rows)
    counts.set(station, (counts.get(station) ?? new Map<number, YearReports>()).set(year, found));
  return counts;
}
