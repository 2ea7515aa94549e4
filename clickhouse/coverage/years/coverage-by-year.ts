import { type DaySet, intersect, subtract, yearDays } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import type { CoverageStatus } from '../coverage.ts';
import {
  countDaysOfYear,
  type DoneDays,
  daysOfWindow,
  daysToHold,
  oldEnoughDays,
  yearsOldEnough,
} from '../rules.ts';
import type { CoverageState } from '../state/state.ts';
import type { YearReports, YearWindow } from './year-reports.ts';

/** The coverage of one calendar year of a station, as far as the request asks for it. */
export type YearCoverage = YearReports & {
  readonly year: number;
  readonly status: CoverageStatus;
  readonly daysDue: number;
  readonly daysDone: number;
  /** The sources with reports in the requested part of the year, in `ANSWER_ORDER`. */
  readonly sources: readonly Source[];
};

export type CoverageByYear = {
  readonly years: readonly YearCoverage[];
  /** Days that are due and not done. */
  readonly gaps: DaySet;
  /** Days that are old enough and outside the period of record (D37); all of them for a code that no source lists. */
  readonly notDue: DaySet;
  /** Done days without a report; `undefined` if the request covers too many years. */
  readonly silent: DaySet | undefined;
};

/** What all stations of a request share. */
type RequestedYears = {
  readonly windows: readonly YearWindow[];
  readonly days: DaySet;
  readonly oldEnough: DaySet;
  readonly mayBeDone: DaySet;
  /** The days that slices over all stations have done. */
  readonly worldDone: readonly DoneDays[];
};

export function requestedYears(range: TimeWindow, worldDone: readonly DoneDays[], now: Date): RequestedYears {
  return {
    windows: yearWindows(range, now),
    days: daysOfWindow(range),
    oldEnough: oldEnoughDays(now),
    mayBeDone: yearsOldEnough(range, now),
    worldDone,
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

/** The years and gaps of one station, by the rules of `meta.coverage`. */
export function coverageByYear(
  { windows, days, oldEnough, mayBeDone, worldDone }: RequestedYears,
  { listings, done }: CoverageState,
  reports: ReadonlyMap<number, YearReports>,
  sources: ReadonlyMap<number, readonly Source[]>,
  reporting: DaySet | undefined,
): CoverageByYear {
  const toHold = daysToHold(intersect(days, oldEnough), listings, done, worldDone);
  const isListed = listings.length > 0;
  const years = windows.map(({ year }): YearCoverage => {
    const ofYear = intersect(yearDays(year), days);
    const isOldEnough = intersect(mayBeDone, ofYear).length > 0;
    const found = reports.get(year);
    const counts = countDaysOfYear(year, toHold);
    const isDone = isListed && isOldEnough && counts.daysDone === counts.daysDue;
    return {
      year,
      status: isDone ? 'complete' : found === undefined ? 'none' : 'partial',
      ...counts,
      ...found,
      sources: (sources.get(year) ?? []).toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
    };
  });
  return {
    years,
    gaps: toHold.open,
    notDue: subtract(intersect(days, oldEnough), toHold.due),
    silent: reporting && subtract(subtract(toHold.due, toHold.open), reporting),
  };
}

/** The order of sources in a response. Others follow by name. */
const ANSWER_ORDER: readonly Source[] = ['ogimet', 'ncei', 'madis', 'awc', 'iem', 'demo'];

function placeOf(source: Source): number {
  const place = ANSWER_ORDER.indexOf(source);
  return place < 0 ? ANSWER_ORDER.length : place;
}
