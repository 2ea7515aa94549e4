import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { yearOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { type TimeWindow, yearWindow } from '../model/time-window.ts';
import { fromCurrentReports } from '../statements/current-reports.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { readStationsWithReports } from './report-counts.ts';
import { type ReportSpan, reportsWithin } from './rules.ts';
import type { CoverageState } from './state.ts';

// The coverage view has the first and last report of each year and source. They decide whether a window of a year has
// reports, except for a window between the two: then the range lies within one year and has no other window.

/** A calendar year, or the part of it that is asked for. */
export type YearWindow = TimeWindow & { readonly year: number };

/** The reports of a station in such a window, in seconds since 1970-01-01T00:00:00Z. Unknown values are absent. */
export type YearReports = {
  readonly reports?: number;
  readonly firstReport?: number;
  readonly lastReport?: number;
};

/** A key of the maps below. */
export function stationYear(station: string, year: number): string {
  return `${station} ${year}`;
}

/**
 * Reports are counted in at most this many station-years, about two million rows. Counting 378,273 reports of one
 * station costs the engine a third more than a page of 1,000 records.
 */
const MAX_STATION_YEARS_COUNTED = 200;

type Count = Required<YearReports> & { readonly station: string; readonly year: number };

const COUNTS = readStatement('coverage/yearly_report_counts');

/**
 * The reports of stations by year. Their number, and the first and last of a part of a year, are read if the stations
 * have reports in few enough years.
 *
 * @param windows of one range, in their order
 * @returns by `stationYear`; an entry says that there are reports
 */
export async function readYearReports(
  archive: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, YearReports>> {
  const [window, lastWindow] = [windows[0], windows.at(-1)];
  if (window === undefined || lastWindow === undefined) return new Map();
  const reports = new Map<string, YearReports>();
  const unknown: string[] = [];
  let stationYears = 0;
  for (const [station, state] of states) {
    const spans = groupBy(state.reports, ({ first }) => yearOf(first));
    for (const window of windows) {
      const ofYear = spans.get(window.year) ?? [];
      const found = reportsWithin(window, ofYear);
      if (found === 'unknown') unknown.push(station);
      if (found === 'yes') reports.set(stationYear(station, window.year), edgesWithin(window, ofYear));
      if (found !== 'no') stationYears += 1;
    }
  }
  if (stationYears <= MAX_STATION_YEARS_COUNTED) {
    const selection = { stations: [...states.keys()], from: window.from, to: lastWindow.to };
    const rows = await selectRows<Count>(archive, fromCurrentReports(COUNTS, selection), signal);
    return new Map(rows.map(({ station, year, ...found }) => [stationYear(station, year), found]));
  }
  for (const station of await readStationsWithReports(archive, { ...window, stations: unknown }, signal))
    reports.set(stationYear(station, window.year), {});
  return reports;
}

/** The first and last report of the year where they lie in the window. */
function edgesWithin({ from, to }: TimeWindow, spans: readonly ReportSpan[]): YearReports {
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return { ...(first >= from && { firstReport: first }), ...(last < to && { lastReport: last }) };
}

const SOURCES_WITH_REPORTS = readStatement('coverage/sources_with_reports');

const HOUR = 3600;

/**
 * The sources that have reports of a station in a requested part of a year, by `stationYear`. Between the first and last
 * report the hours of the coverage view decide: part of an hour counts as the whole hour.
 */
export async function readYearSources(
  archive: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Source[]>> {
  const sources = new Map<string, readonly Source[]>();
  const add = (station: string, year: number, source: Source) => {
    const key = stationYear(station, year);
    sources.set(key, [...(sources.get(key) ?? []), source]);
  };
  const byYear = new Map(windows.map((window) => [window.year, window]));
  const unknown = new Map<string, Source[]>();
  for (const [station, { reports }] of states)
    for (const span of reports) {
      const window = byYear.get(yearOf(span.first));
      if (window === undefined) continue;
      const found = reportsWithin(window, [span]);
      if (found === 'yes') add(station, window.year, span.source);
      if (found === 'unknown') unknown.set(station, [...(unknown.get(station) ?? []), span.source]);
    }
  const [window] = windows;
  if (window === undefined || unknown.size === 0) return sources;
  const { year, from, to } = window;
  const start = yearWindow(year).from;
  const [firstHour, endHour] = [Math.floor((from - start) / HOUR), Math.ceil((to - start) / HOUR)];
  const params = { stations: [...unknown.keys()], year, firstHour, endHour };
  const select = { query: SOURCES_WITH_REPORTS, params, settings: POINT_READ };
  for (const { station, source } of await selectRows<{ station: string; source: Source }>(
    archive,
    select,
    signal,
  ))
    if (unknown.get(station)?.includes(source)) add(station, year, source);
  return sources;
}
