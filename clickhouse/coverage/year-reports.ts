import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { yearOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
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

/** By station and year; an entry says that there are reports. */
type ReportsByYear = ReadonlyMap<string, ReadonlyMap<number, YearReports>>;

/**
 * Reports are counted in at most this many station-years, about two million rows. Counting 378,273 reports of one
 * station costs the engine a third more than a page of 1,000 records.
 */
const MAX_STATION_YEARS_COUNTED = 200;

const COUNTS = readStatement('coverage/yearly_report_counts');

/**
 * The reports of stations by year. Their number, and the first and last of a part of a year, are read if the stations
 * have reports in few enough years.
 *
 * @param windows of one range, in their order
 */
export async function readYearReports(
  archive: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<ReportsByYear> {
  const [window, lastWindow] = [windows[0], windows.at(-1)];
  if (window === undefined || lastWindow === undefined) return new Map();
  const reports = new Map<string, Map<number, YearReports>>();
  const unknown: string[] = [];
  let stationYears = 0;
  for (const [station, state] of states) {
    const spans = groupBy(state.reports, ({ first }) => yearOf(first));
    const ofStation = new Map<number, YearReports>();
    for (const window of windows) {
      const ofYear = spans.get(window.year) ?? [];
      const found = reportsWithin(window, ofYear);
      if (found === 'unknown') unknown.push(station);
      if (found === 'yes') ofStation.set(window.year, edgesWithin(window, ofYear));
      if (found !== 'no') stationYears += 1;
    }
    reports.set(station, ofStation);
  }
  if (stationYears <= MAX_STATION_YEARS_COUNTED)
    return countReports(archive, [...states.keys()], { from: window.from, to: lastWindow.to }, signal);
  for (const station of await readStationsWithReports(archive, { ...window, stations: unknown }, signal))
    reports.get(station)?.set(window.year, {});
  return reports;
}

/** The first and last report of the year where they lie in the window. */
function edgesWithin({ from, to }: TimeWindow, spans: readonly ReportSpan[]): YearReports {
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return { ...(first >= from && { firstReport: first }), ...(last < to && { lastReport: last }) };
}

async function countReports(
  archive: Archive,
  stations: readonly string[],
  range: TimeWindow,
  signal: AbortSignal,
): Promise<ReportsByYear> {
  const counts = new Map<string, Map<number, YearReports>>();
  const rows = await selectRows<Required<YearReports> & { readonly station: string; readonly year: number }>(
    archive,
    fromCurrentReports(COUNTS, { stations, ...range }),
    signal,
  );
  for (const { station, year, ...found } of rows)
    counts.set(station, (counts.get(station) ?? new Map<number, YearReports>()).set(year, found));
  return counts;
}

/** The sources that have reports of a station in a requested part of a year, by station and year. */
type SourcesByYear = ReadonlyMap<string, ReadonlyMap<number, readonly Source[]>>;

const SOURCES_WITH_REPORTS = readStatement('coverage/sources_with_reports');

const HOUR = 3600;

/** Between the first and last report the hours of the coverage view decide: part of an hour counts as the whole hour. */
export async function readYearSources(
  archive: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<SourcesByYear> {
  const sources = new Map<string, Map<number, Source[]>>();
  const add = (station: string, year: number, source: Source) => {
    const ofStation = sources.get(station) ?? new Map<number, Source[]>();
    sources.set(station, ofStation.set(year, [...(ofStation.get(year) ?? []), source]));
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
  if (window !== undefined && unknown.size > 0)
    for (const { station, source } of await readSourcesWithin(archive, [...unknown.keys()], window, signal))
      if (unknown.get(station)?.includes(source)) add(station, window.year, source);
  return sources;
}

function readSourcesWithin(
  archive: Archive,
  stations: readonly string[],
  { year, from, to }: YearWindow,
  signal: AbortSignal,
): Promise<readonly { readonly station: string; readonly source: Source }[]> {
  const start = Date.UTC(year, 0) / 1000;
  const [firstHour, endHour] = [Math.floor((from - start) / HOUR), Math.ceil((to - start) / HOUR)];
  const params = { stations, year, firstHour, endHour };
  return selectRows(archive, { query: SOURCES_WITH_REPORTS, params, settings: POINT_READ }, signal);
}
