import type { ClickHouseClient } from '@clickhouse/client';
import { countDays, type DaySet, intersect, NO_DAYS, yearDays } from '../model/day-set.ts';
import { SOURCES, type Source } from '../model/report.ts';
import { clampToArchive, type TimeWindow } from '../model/time-window.ts';
import type { PageRequest } from '../observations/page.ts';
import { type CoverageStatus, readCoverage, type StationCoverage } from './coverage.ts';
import { type PeriodOfRecord, periodOfRecord } from './period-of-record.ts';
import { type DoneDays, daysOfWindow, dueDays, oldEnoughDays, openDays, yearsOldEnough } from './rules.ts';
import { type CoverageState, type CoverageStateReader, NO_COVERAGE } from './state.ts';
import { ALL_STATIONS } from './station-listings.ts';
import { readYearReports, type YearReports, type YearWindow } from './year-reports.ts';

/** The coverage of one calendar year of a station, as far as the request asks for it. */
export type YearCoverage = YearReports & {
  readonly year: number;
  readonly status: CoverageStatus;
  readonly daysDue: number;
  readonly daysDone: number;
  /** The sources that hold reports of the year or have done days of it, by rank. */
  readonly sources: readonly Source[];
};

export type CoverageDetails = StationCoverage & {
  readonly periodOfRecord: PeriodOfRecord | undefined;
  /** The requested years from 2005 to the present one. */
  readonly years: readonly YearCoverage[];
  /** Days that are due and not done. */
  readonly gaps: DaySet;
};

/**
 * The coverage of stations year by year and their gaps, by the rules and numbers of `meta.coverage` (D34), in the order
 * of the request.
 */
export async function readCoverageDetails(
  client: ClickHouseClient,
  request: Pick<PageRequest, 'stations' | 'from' | 'to'>,
  now: Date,
  signal: AbortSignal,
  readState: CoverageStateReader,
): Promise<{ readonly status: CoverageStatus; readonly stations: readonly CoverageDetails[] }> {
  const all = await readState([...request.stations, ALL_STATIONS], signal);
  // All numbers come from one state, for loaders may write meanwhile.
  const coverage = await readCoverage(client, request, signal, async () => all, now);
  const range = clampToArchive(request);
  const windows = range === undefined ? [] : yearWindows(range, now);
  const states = new Map(request.stations.map((station) => [station, all.get(station) ?? NO_COVERAGE]));
  const reports = await readYearReports(client, states, windows, signal);
  const judge = yearJudge(range, windows, all.get(ALL_STATIONS)?.done ?? [], now);
  return {
    status: coverage.status,
    stations: coverage.stations.map((station) => {
      const state = states.get(station.station) ?? NO_COVERAGE;
      const years = judge(state, reports.get(station.station) ?? new Map());
      return { ...station, periodOfRecord: periodOfRecord(state.listings), ...years };
    }),
  };
}

/** The calendar years of a range up to the present one, cut to the range. */
function yearWindows({ from, to }: TimeWindow, now: Date): readonly YearWindow[] {
  const windows: YearWindow[] = [];
  const last = Math.min(new Date((to - 1) * 1000).getUTCFullYear(), now.getUTCFullYear());
  for (let year = new Date(from * 1000).getUTCFullYear(); year <= last; year += 1) {
    const [start, end] = [Date.UTC(year, 0) / 1000, Date.UTC(year + 1, 0) / 1000];
    windows.push({ year, from: Math.max(from, start), to: Math.min(to, end) });
  }
  return windows;
}

type StationYears = Pick<CoverageDetails, 'years' | 'gaps'>;

function yearJudge(
  range: TimeWindow | undefined,
  windows: readonly YearWindow[],
  worldDone: readonly DoneDays[],
  now: Date,
): (state: CoverageState, reports: ReadonlyMap<number, YearReports>) => StationYears {
  if (range === undefined) return () => ({ years: [], gaps: NO_DAYS });
  const asked = daysOfWindow(range);
  const old = oldEnoughDays(now);
  const mayBeDone = yearsOldEnough(range, now);
  return ({ listings, done, reports: spans }, reports) => {
    const open = openDays(asked, listings, done, worldDone);
    // A code that no source lists has no due days: its coverage can never be done (D13).
    const isListed = listings.length > 0;
    const due = isListed ? intersect(dueDays(asked, listings), old) : NO_DAYS;
    const gaps = isListed ? intersect(open, old) : NO_DAYS;
    const counting = [...done, ...worldDone].filter(({ source }) =>
      listings.some((each) => each.source === source),
    );
    const years = windows.map((window): YearCoverage => {
      const { year } = window;
      const days = intersect(yearDays(year), asked);
      const ofYear = reports.get(year);
      const isDone = intersect(mayBeDone, days).length > 0 && intersect(open, days).length === 0;
      const daysDue = countDays(intersect(due, days));
      const sources = new Set([
        ...spans
          .filter(({ first, last }) => first < window.to && last >= window.from)
          .map(({ source }) => source),
        ...counting.filter((each) => intersect(each.days, days).length > 0).map(({ source }) => source),
      ]);
      return {
        year,
        status: isDone ? 'complete' : ofYear === undefined ? 'none' : 'partial',
        daysDue,
        daysDone: daysDue - countDays(intersect(gaps, days)),
        ...ofYear,
        sources: SOURCES.filter((source) => sources.has(source)),
      };
    });
    return { years, gaps };
  };
}
