import {
  countCommon,
  countDays,
  type DayRun,
  type DaySet,
  dayNumber,
  dayRun,
  FIRST_DAY,
  firstProvisionalDay,
  intersect,
  NO_DAYS,
  numberOfDay,
  subtract,
  unionOf,
  within,
  yearDays,
} from '../model/day.ts';
import { SOURCE_ENDS, type Source } from '../model/report.ts';
import { calendarYears, isWithin, type TimeWindow } from '../model/time-window.ts';
import type { HiddenReport } from '../observations/hidden-reports.ts';
import { type Listing, statesPeriod } from './station-listings.ts';

// The rules of coverage (D13, D14, D37, D38, D88), decided only here. They judge each UTC day by itself, so a range, its
// parts and their union never disagree.

export type DoneDays = { readonly source: Source; readonly days: DaySet };

/** Leaves out days after the end of a source, which it cannot prove (D88). */
export function provenDays(source: Source, days: DaySet): DaySet {
  return within(days, { endDay: SOURCE_ENDS[source] });
}

export type ReportSpan = {
  readonly source: Source;
  /** The first and the last report of a year, in seconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** Hours of the year with a report. */
  readonly hours: number;
};

export type CoverageState = {
  readonly done: readonly DoneDays[];
  readonly reports: readonly ReportSpan[];
  /** Days with a report, from whichever source; NIL reports do not count. */
  readonly reportDays: DaySet;
  readonly listings: readonly Listing[];
  /** Hidden reports of the station (D84). They do not change its coverage, because the archive has them like all others. */
  readonly hidden?: readonly HiddenReport[];
};

export type CoverageStates = ReadonlyMap<string, CoverageState>;

export const NO_COVERAGE: CoverageState = { done: [], reports: [], reportDays: NO_DAYS, listings: [] };

/** The days that are at least 72 hours old; nothing before 2005 is held. */
export function oldEnoughDays(now: Date): DaySet {
  return dayRun(numberOfDay(FIRST_DAY), numberOfDay(firstProvisionalDay(now)));
}

export function daysOfWindow({ from, to }: TimeWindow): DaySet {
  return dayRun(dayNumber(from), dayNumber(to - 1) + 1);
}

/** Days in the period of record, or all of them if no source states one (D37). `listings`: of every source, or of one. */
export function dueDays(asked: DaySet, listings: readonly Listing[]): DaySet {
  let excluded = EXCLUDED.get(listings);
  if (excluded === undefined) {
    const [first = NO_DAYS, ...others] = listings.filter(statesPeriod).map(excludedDays);
    excluded = others.reduce(intersect, first);
    EXCLUDED.set(listings, excluded);
  }
  return subtract(asked, excluded);
}

const EXCLUDED = new WeakMap<readonly Listing[], DaySet>();

/** Days that are due, and those of them that are not done. */
export type DaysToHold = { readonly due: DaySet; readonly open: DaySet };

/**
 * A source's ledger counts only for stations that it lists; a code that no source lists is never done (D13).
 *
 * @param done the done days of the station, and those of the slices over all stations
 */
export function daysToHold(
  asked: DaySet,
  listings: readonly Listing[],
  done: readonly DoneDays[],
): DaysToHold {
  const due = dueDays(asked, listings);
  let open = due;
  for (const { source, days } of done)
    if (open.length > 0 && listings.some((listing) => listing.source === source)) open = subtract(open, days);
  return { due, open };
}

/** The days that are done and have no report: the station sent none, or its sources lost them (D57). */
export function silentDays({ due, open }: DaysToHold, { reportDays }: CoverageState): DaySet {
  return subtract(subtract(due, open), reportDays);
}

/** The number of `silentDays`, without making the set. */
export function countSilentDays({ due, open }: DaysToHold, { reportDays }: CoverageState): number {
  const withReports = countCommon(due, reportDays) - countCommon(open, reportDays);
  return countDays(due) - countDays(open) - withReports;
}

export function countDaysOfYear(year: number, { due, open }: DaysToHold) {
  const days = yearDays(year);
  const daysDue = countCommon(days, due);
  return { daysDue, daysDone: daysDue - countCommon(days, open) };
}

/** The days outside a stated period. The day of the listing and later ones are not excluded: a closed station may report again. */
function excludedDays({ firstDay, lastDay, listedDay }: Listing): DaySet {
  const first = firstDay === undefined ? Number.NEGATIVE_INFINITY : numberOfDay(firstDay);
  const end = lastDay === undefined ? Number.POSITIVE_INFINITY : numberOfDay(lastDay) + 1;
  const stated = listedDay === undefined ? Number.POSITIVE_INFINITY : numberOfDay(listedDay);
  return unionOf([
    { first: Number.NEGATIVE_INFINITY, end: first },
    { first: end, end: stated },
  ]);
}

/** The calendar years of a range that can be done: those from 2005 on whose requested days are all old enough. */
export function yearsOldEnough(range: TimeWindow, now: Date): readonly DayRun[] {
  const [asked, old] = [daysOfWindow(range), oldEnoughDays(now)];
  const years = calendarYears(range).map((year) => intersect(yearDays(year), asked));
  return years.filter((days) => subtract(days, old).length === 0).flat();
}

export function countYearsDone(years: readonly DayRun[], open: DaySet): number {
  if (open.length === 0) return years.length;
  return years.filter((year) => intersect([year], open).length === 0).length;
}

/** Whether a range has reports, by the first and last of each year; `unknown` if it lies between those of one year. */
export function reportsWithin(range: TimeWindow, spans: readonly Pick<ReportSpan, 'first' | 'last'>[]) {
  const { from, to } = range;
  if (spans.some(({ first, last }) => isWithin(first, range) || isWithin(last, range))) return 'yes';
  return spans.some(({ first, last }) => first < from && last >= to) ? 'unknown' : 'no';
}

export type CoverageStatus = 'complete' | 'partial' | 'none';

/** The status of a station (D15) or of a calendar year, as far as the request asks for it. */
export function statusOf(isDone: boolean, hasReports: boolean): CoverageStatus {
  if (isDone) return 'complete';
  return hasReports ? 'partial' : 'none';
}
