import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import {
  type DaySet,
  intersect,
  NO_DAYS,
  SECONDS_PER_HOUR,
  subtract,
  yearDays,
  yearOf,
} from '../model/day.ts';
import type { Source } from '../model/report.ts';
import {
  calendarYears,
  clampToArchive,
  clipToYear,
  NO_TIME,
  type StationRange,
  type TimeWindow,
  yearWindow,
} from '../model/time-window.ts';
import { fromCurrentReports } from '../statements/current-reports.ts';
import { namedStatement, POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import {
  type CoverageState,
  type CoverageStates,
  type CoverageStatus,
  countDaysOfYear,
  countSilentDays,
  countYearsDone,
  daysOfWindow,
  daysToHold,
  NO_COVERAGE,
  oldEnoughDays,
  type ReportSpan,
  reportsWithin,
  silentDays,
  statusOf,
  yearsOldEnough,
} from './rules.ts';
import { ALL_STATIONS, type PeriodOfRecord, periodOfRecord } from './station-listings.ts';

export type StationCoverage = {
  readonly station: string;
  readonly status: CoverageStatus;
  readonly yearsDone: number;
  readonly yearsAll: number;
  readonly silentDays: number;
};

export type Coverage = ReturnType<typeof coverageOf>;

/** The coverage of stations (D13–D17), in the order of the request, by these states; `now` decides which days are old enough. */
export async function readCoverage(
  archive: Archive,
  request: StationRange,
  states: CoverageStates,
  now = new Date(),
): Promise<Coverage> {
  const { stations } = request;
  // A range shorter than a second can be empty once its bounds are whole seconds.
  const yearsAll = Math.max(1, calendarYears(request).length);
  const range = clampToArchive(request) ?? NO_TIME;
  const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
  const asked = daysOfWindow(range);
  const years = yearsOldEnough(range, now);
  const held = stations.map((station) => {
    const state = states.get(station) ?? NO_COVERAGE;
    const toHold = daysToHold(asked, state.listings, [...state.done, ...world.done]);
    const yearsDone = countYearsDone(years, toHold.open);
    return { station, yearsDone, silentDays: countSilentDays(toHold, state) };
  });
  // For a station without a year that is done, reports decide between `none` and `partial`.
  const unknown = held.filter(({ yearsDone }) => yearsDone === 0).map(({ station }) => station);
  const found = await findStationsWithReports(archive, { ...request, stations: unknown }, states);
  const covered = held.map(({ station, yearsDone, silentDays }): StationCoverage => {
    const status = statusOf(yearsDone === yearsAll, yearsDone > 0 || found.has(station));
    return { station, status, yearsDone, yearsAll, silentDays };
  });
  return coverageOf(covered);
}

export function coverageOf(stations: readonly StationCoverage[]) {
  const silentDays = stations.reduce((sum, each) => sum + each.silentDays, 0);
  const first = stations[0]?.status ?? 'complete';
  const status = stations.every((each) => each.status === first) ? first : 'partial';
  return { status, silentDays, stations };
}

export async function findStationsWithReports(
  archive: Archive,
  { stations, ...request }: StationRange,
  states: CoverageStates,
): Promise<ReadonlySet<string>> {
  const range = clampToArchive(request) ?? NO_TIME;
  const having = (answer: 'yes' | 'unknown') =>
    stations.filter((each) => reportsWithin(range, (states.get(each) ?? NO_COVERAGE).reports) === answer);
  const found = await readStationsWithReports(archive, { stations: having('unknown'), ...range });
  return new Set([...having('yes'), ...found]);
}

/** Reads from the reports themselves which stations have any in a range, which lies within one year. */
async function readStationsWithReports(archive: Archive, range: StationRange): Promise<readonly string[]> {
  if (range.stations.length === 0) return [];
  const select = namedStatement('coverage/stations_with_reports', range, POINT_READ);
  const rows = await selectRows<{ station: string }>(archive, { ...select, ofStations: true });
  return rows.map(({ station }) => station);
}

type YearWindow = TimeWindow & { readonly year: number };

/** The number of reports of a station in a window, and the first and last, in seconds since 1970-01-01T00:00:00Z, if known. */
type YearReports = Readonly<Partial<Record<'reports' | 'firstReport' | 'lastReport', number>>>;

type YearCoverage = YearReports & {
  readonly year: number;
  readonly status: CoverageStatus;
  readonly daysDue: number;
  readonly daysDone: number;
  /** The sources with reports in the requested part of the year, by name. */
  readonly sources: readonly Source[];
};

export type CoverageDetails = StationCoverage & {
  readonly years: readonly YearCoverage[];
  /** Days that are due and not done. */
  readonly gaps: DaySet;
  /** Days that are old enough and outside the period of record (D37); all of them for a code that no source lists. */
  readonly notDue: DaySet;
  readonly silent: DaySet;
  readonly periodOfRecord: PeriodOfRecord | undefined;
};

/** Stations handled before other requests get a turn: a thousand stations take 0.1 s. */
const STATIONS_AT_ONCE = 100;

/** Coverage by year and by day (D34), by the rules of `meta.coverage`. `all`: the states of the stations and of `ALL_STATIONS`. */
export async function readCoverageDetails(
  archive: Archive,
  request: StationRange,
  now: Date,
  all: CoverageStates,
): Promise<Omit<Coverage, 'stations'> & { readonly stations: AsyncIterable<CoverageDetails> }> {
  // All numbers come from one state, because loaders may write meanwhile.
  const coverage = await readCoverage(archive, request, all, now);
  const range = clampToArchive(request) ?? NO_TIME;
  const windows = calendarYears(range)
    .filter((year) => year <= now.getUTCFullYear())
    .map((year): YearWindow => ({ year, ...clipToYear(range, year) }));
  const states = new Map(request.stations.map((station) => [station, all.get(station) ?? NO_COVERAGE]));
  const { reports, sources } = await countExactly(archive, states, windows);
  const world = all.get(ALL_STATIONS) ?? NO_COVERAGE;
  const days = daysOfWindow(range);
  const oldEnough = intersect(days, oldEnoughDays(now));
  async function* details(): AsyncGenerator<CoverageDetails, undefined> {
    for (const [n, ofStation] of coverage.stations.entries()) {
      if (n % STATIONS_AT_ONCE === STATIONS_AT_ONCE - 1) await setImmediate();
      const { station } = ofStation;
      const state = states.get(station) ?? NO_COVERAGE;
      const { listings } = state;
      const done = [...state.done, ...world.done];
      const toHold = daysToHold(listings.length > 0 ? oldEnough : NO_DAYS, listings, done);
      const years = windows.map(({ year }): YearCoverage => {
        const isOldEnough = subtract(intersect(yearDays(year), days), oldEnough).length === 0;
        const found = reports.get(stationYear(station, year));
        const counts = countDaysOfYear(year, toHold);
        const isDone = listings.length > 0 && isOldEnough && counts.daysDone === counts.daysDue;
        return {
          year,
          status: statusOf(isDone, found !== undefined),
          ...counts,
          ...found,
          sources: (sources.get(stationYear(station, year)) ?? []).toSorted(),
        };
      });
      yield {
        ...ofStation,
        periodOfRecord: periodOfRecord(listings),
        years,
        gaps: toHold.open,
        notDue: subtract(oldEnough, toHold.due),
        silent: silentDays(toHold, state),
      };
    }
  }
  return { ...coverage, stations: details() };
}

function stationYear(station: string, year: number): string {
  return `${station} ${year}`;
}

/** About two million rows: counting 378,273 reports of one station costs a third more than a page of 1,000 records. */
const MAX_STATION_YEARS_COUNTED = 200;

type Count = Required<YearReports> & { readonly station: string; readonly year: number };

const YEARLY_COUNTS = readStatement('coverage/yearly_report_counts');

/**
 * The reports and the sources of each station and year, by `stationYear`; an entry of `reports` says that there are some. The first
 * and the last report of a year and source, in the coverage view, decide unless the window lies between them, which only a range
 * within one year can. Then the reports decide, and for sources the hours of the view, where part of an hour counts as the hour.
 * Numbers, and the first and last report in a part of a year, are read only for up to `MAX_STATION_YEARS_COUNTED`.
 */
async function countExactly(
  archive: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
) {
  const reports = new Map<string, YearReports>();
  const sources = new Map<string, Source[]>();
  const [window, lastWindow] = [windows[0], windows.at(-1)];
  if (window === undefined || lastWindow === undefined) return { reports, sources };
  const unknownSources = new Map<string, readonly Source[]>();
  for (const [station, state] of states) {
    const spans = groupBy(state.reports, ({ first }) => yearOf(first));
    for (const window of windows) {
      const ofYear = spans.get(window.year) ?? [];
      const sourcesOf = (answer: ReturnType<typeof reportsWithin>) =>
        ofYear.filter((span) => reportsWithin(window, [span]) === answer).map(({ source }) => source);
      const [known, others] = [sourcesOf('yes'), sourcesOf('unknown')];
      const key = stationYear(station, window.year);
      sources.set(key, known);
      if (known.length > 0) reports.set(key, edgesWithin(window, ofYear));
      if (others.length > 0) unknownSources.set(station, others);
    }
  }
  const { year, from, to } = window;
  const start = yearWindow(year).from;
  const hours = {
    ...{ stations: [...unknownSources.keys()], year },
    firstHour: Math.floor((from - start) / SECONDS_PER_HOUR),
    endHour: Math.ceil((to - start) / SECONDS_PER_HOUR),
  };
  const unknown = hours.stations.filter((station) => !reports.has(stationYear(station, year)));
  const isCounted = reports.size + unknown.length <= MAX_STATION_YEARS_COUNTED;
  const selection = { stations: [...states.keys()], from, to: lastWindow.to };
  const ofHours = namedStatement('coverage/sources_with_reports', hours, POINT_READ);
  const [counts, found, foundSources] = await Promise.all([
    isCounted ? selectRows<Count>(archive, fromCurrentReports(YEARLY_COUNTS, selection)) : [],
    isCounted ? [] : readStationsWithReports(archive, { ...window, stations: unknown }),
    unknownSources.size === 0 ? [] : selectRows<{ station: string; source: Source }>(archive, ofHours),
  ]);
  if (isCounted) reports.clear();
  for (const { station, year, ...ofYear } of counts) reports.set(stationYear(station, year), ofYear);
  for (const station of found) reports.set(stationYear(station, year), {});
  for (const { station, source } of foundSources)
    if (unknownSources.get(station)?.includes(source)) sources.get(stationYear(station, year))?.push(source);
  return { reports, sources };
}

function edgesWithin({ from, to }: TimeWindow, spans: readonly ReportSpan[]): YearReports {
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return { ...(first >= from && { firstReport: first }), ...(last < to && { lastReport: last }) };
}
