import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../archive.ts';
import { type DaySet, intersect, NO_DAYS, subtract, yearDays, yearOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { clampToArchive, clipToYear, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { type CoverageStatus, readCoverage, type StationCoverage } from './coverage.ts';
import { readReportingDays } from './report-counts.ts';
import { countDaysOfYear, daysOfWindow, daysToHold, oldEnoughDays } from './rules.ts';
import { type CoverageStates, NO_COVERAGE } from './state.ts';
import { ALL_STATIONS, type PeriodOfRecord, periodOfRecord } from './station-listings.ts';
import {
  readYearReports,
  readYearSources,
  stationYear,
  type YearReports,
  type YearWindow,
} from './year-reports.ts';

/** The coverage of one calendar year of a station, as far as the request asks for it. */
export type YearCoverage = YearReports & {
  readonly year: number;
  readonly status: CoverageStatus;
  readonly daysDue: number;
  readonly daysDone: number;
  /** The sources with reports in the requested part of the year, in `ANSWER_ORDER`. */
  readonly sources: readonly Source[];
};

export type CoverageDetails = StationCoverage & {
  readonly years: readonly YearCoverage[];
  /** Days that are due and not done. */
  readonly gaps: DaySet;
  /** Days that are old enough and outside the period of record (D37); all of them for a code that no source lists. */
  readonly notDue: DaySet;
  /** Done days without a report; `undefined` if the request covers too many years. */
  readonly silent: DaySet | undefined;
  readonly periodOfRecord: PeriodOfRecord | undefined;
};

/** The order of sources in a response. Others follow by name. */
const ANSWER_ORDER: readonly Source[] = ['ogimet', 'ncei', 'madis', 'awc', 'iem', 'demo'];

/** Reading the hours of 20,000 station-years took the engine over 3.5 s, fifteen times as long as everything else. */
const MAX_STATION_YEARS_OF_DAYS = 1000;

/** A thousand stations take 0.1 s: other requests run in between. */
const STATIONS_AT_ONCE = 100;

/**
 * The coverage of stations year by year and their gaps, by the rules and numbers of `meta.coverage` (D34), in the order
 * of the request. Its years are those from 2005 to the present one.
 *
 * @param all states of its stations and of all stations
 * @param format converts each station to what the caller needs
 */
export async function readCoverageDetails<Formatted>(
  archive: Archive,
  request: StationRange,
  now: Date,
  all: CoverageStates,
  signal: AbortSignal,
  format: (details: CoverageDetails) => Formatted,
): Promise<{ readonly status: CoverageStatus; readonly stations: readonly Formatted[] }> {
  // All numbers come from one state, because loaders may write meanwhile.
  const coverage = await readCoverage(archive, request, signal, all, now);
  const range = clampToArchive(request);
  const windows = range === undefined ? [] : yearWindows(range, now);
  const states = new Map(request.stations.map((station) => [station, all.get(station) ?? NO_COVERAGE]));
  const [firstYear = 0, lastYear = 0] = [windows[0]?.year, windows.at(-1)?.year];
  const [reports, sources, reporting] = await Promise.all([
    readYearReports(archive, states, windows, signal),
    readYearSources(archive, states, windows, signal),
    request.stations.length * windows.length > MAX_STATION_YEARS_OF_DAYS
      ? undefined
      : readReportingDays(archive, request.stations, { firstYear, lastYear }, signal),
  ]);
  const days = range === undefined ? NO_DAYS : daysOfWindow(range);
  const oldEnough = intersect(days, oldEnoughDays(now));
  const world = all.get(ALL_STATIONS) ?? NO_COVERAGE;
  const stations: Formatted[] = [];
  for (const covered of coverage.stations) {
    if (stations.length % STATIONS_AT_ONCE === STATIONS_AT_ONCE - 1)
      await setImmediate(undefined, { signal });
    const { station } = covered;
    const { listings, done } = states.get(station) ?? NO_COVERAGE;
    const toHold = daysToHold(oldEnough, listings, done, world.done);
    const years = windows.map(({ year }): YearCoverage => {
      const isOldEnough = subtract(intersect(yearDays(year), days), oldEnough).length === 0;
      const found = reports.get(stationYear(station, year));
      const counts = countDaysOfYear(year, toHold);
      const isDone = listings.length > 0 && isOldEnough && counts.daysDone === counts.daysDue;
      return {
        year,
        status: isDone ? 'complete' : found === undefined ? 'none' : 'partial',
        ...counts,
        ...found,
        sources: (sources.get(stationYear(station, year)) ?? []).toSorted(compareSources),
      };
    });
    const doneDays = subtract(toHold.due, toHold.open);
    const details = {
      ...covered,
      years,
      gaps: toHold.open,
      notDue: subtract(oldEnough, toHold.due),
      silent: reporting && subtract(doneDays, reporting.get(station) ?? NO_DAYS),
      periodOfRecord: periodOfRecord(listings),
    };
    stations.push(format(details));
  }
  return { status: coverage.status, stations };
}

/** The calendar years of a range up to the present one, cut to the range. */
function yearWindows(range: TimeWindow, now: Date): readonly YearWindow[] {
  const windows: YearWindow[] = [];
  const last = Math.min(yearOf(range.to - 1), now.getUTCFullYear());
  for (let year = yearOf(range.from); year <= last; year += 1) {
    windows.push({ year, ...clipToYear(range, year) });
  }
  return windows;
}

function compareSources(a: Source, b: Source): number {
  return placeOf(a) - placeOf(b) || (a < b ? -1 : 1);
}

function placeOf(source: Source): number {
  const place = ANSWER_ORDER.indexOf(source);
  return place < 0 ? ANSWER_ORDER.length : place;
}
