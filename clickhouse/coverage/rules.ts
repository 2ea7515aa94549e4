import { dayStart, firstProvisionalDay, yearOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import type { Listing } from './station-listings.ts';

/** Which days of a year are done, 1 to 366. */
export type DoneDays = {
  readonly year: number;
  /** `days` where it names any; otherwise all from `first` to `last`, and none where these are the wrong way round or 0. */
  readonly first: number;
  readonly last: number;
  readonly days: readonly number[];
};

/** What the archive holds of one station and year from one source. */
export type CoverageYear = DoneDays & {
  readonly source: Source;
  /** Seconds since 1970-01-01T00:00:00Z; `null` where only the ledger knows of the year. */
  readonly firstReport: number | null;
  readonly lastReport: number | null;
};

const DAY = 86_400;
const ALL_TIME: TimeWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A calendar year of a request: seconds since 1970-01-01T00:00:00Z at which it begins, and the days of it that are asked for. */
type YearAsked = { readonly year: number; readonly start: number } & Days;
type Days = { readonly first: number; readonly last: number };

/** The calendar years of a range of which no requested day is younger than 72 hours: no other can be done (D13). */
export function yearsOldEnough(range: TimeWindow, now: Date): readonly YearAsked[] {
  const young = dayStart(firstProvisionalDay(now));
  return yearsAsked(range).filter(({ start, last }) => start + last * DAY <= young);
}

/** Whether the days asked for are all done (D13, D14): in the ledger of a source that lists the station, or outside its period of record. */
export function isYearDone(asked: YearAsked, held: readonly CoverageYear[], record: PeriodOfRecord): boolean {
  const days = needed(asked, record);
  // Most often one run covers the year, and of a thousand stations some twenty thousand years are asked.
  const isCovered = held.some((each) => each.year === asked.year && isRun(each) && covers(each, days));
  return isCovered || openDays(asked.year, days, held).next().done === true;
}

/**
 * The days of a year, 1 to 366, on which the sources in `listings` may hold something, younger than 72 hours excepted:
 * those that are done, and those of which nothing has been loaded yet (D13).
 */
export function daysDue(
  year: number,
  range: TimeWindow,
  held: readonly DoneDays[],
  listings: readonly Listing[],
  now: Date,
): { readonly done: readonly number[]; readonly open: readonly number[] } {
  const asked = yearAsked(year, range);
  const lastOld = Math.min(asked.last, ordinal(asked.start, dayStart(firstProvisionalDay(now))) - 1);
  const days = needed({ ...asked, last: lastOld }, periodOfRecord(listings));
  const open = new Set(openDays(year, days, held));
  const done: number[] = [];
  for (let day = days.first; day <= days.last; day += 1) if (!open.has(day)) done.push(day);
  return { done, open: [...open] };
}

function needed({ start, first, last }: YearAsked, { from, to, told }: PeriodOfRecord): Days {
  return {
    first: Math.max(first, ordinal(start, from)),
    last: last < ordinal(start, told) ? Math.min(last, ordinal(start, to - 1)) : last,
  };
}

function* openDays(year: number, { first, last }: Days, held: readonly DoneDays[]): Generator<number> {
  const ofYear = held.filter((each) => each.year === year);
  const runs = ofYear.filter(isRun);
  const done = new Set(ofYear.flatMap(({ days }) => days));
  for (let day = first; day <= last; day += 1)
    if (!done.has(day) && !runs.some((run) => covers(run, { first: day, last: day }))) yield day;
}

function isRun({ days }: DoneDays): boolean {
  return days.length === 0;
}

function covers(run: Days, { first, last }: Days): boolean {
  return run.first <= first && run.last >= last;
}

function yearsAsked(range: TimeWindow): readonly YearAsked[] {
  const [first, last] = [yearOf(range.from), yearOf(range.to - 1)];
  return Array.from({ length: last - first + 1 }, (_, n) => yearAsked(first + n, range));
}

function yearAsked(year: number, { from, to }: TimeWindow): YearAsked {
  const start = Date.UTC(year, 0) / 1000;
  const length = (Date.UTC(year + 1, 0) / 1000 - start) / DAY;
  return {
    year,
    start,
    first: Math.max(1, ordinal(start, from)),
    last: Math.min(length, ordinal(start, to - 1)),
  };
}

/** Which day of the year a time lies in: 1 is the first, and what is not positive lies before the year. */
function ordinal(newYear: number, seconds: number): number {
  return Math.floor((seconds - newYear) / DAY) + 1;
}

/** A period of record, `[from, to)`; that it has ended is known up to the day at which `told` begins. Seconds since 1970-01-01T00:00:00Z. */
type PeriodOfRecord = TimeWindow & { readonly told: number };

/**
 * From the first to the last day that any source states. All time where one of them states none: that it holds nothing
 * on a day is known only when it was asked.
 */
export function periodOfRecord(listings: readonly Listing[]): PeriodOfRecord {
  if (listings.length === 0) return { ...ALL_TIME, told: Number.POSITIVE_INFINITY };
  // Backwards, so that the first listing narrows nothing.
  let [to, from] = [ALL_TIME.from, ALL_TIME.to];
  let told = Number.POSITIVE_INFINITY;
  for (const { firstDay, lastDay, listedDay } of listings) {
    from = Math.min(from, firstDay === undefined ? ALL_TIME.from : dayStart(firstDay));
    const isOpen = firstDay === undefined || lastDay === undefined;
    to = Math.max(to, isOpen ? ALL_TIME.to : dayStart(lastDay) + DAY);
    if (listedDay !== undefined) told = Math.min(told, dayStart(listedDay));
  }
  return { from, to, told };
}

/**
 * Whether a range holds reports, by the first and last of each year. Between the two only the reports can tell;
 * a range that spans more than one year always holds the last of one or the first of the next, if there is any.
 */
export function reportsWithin(
  { from, to }: TimeWindow,
  held: readonly CoverageYear[],
): 'yes' | 'no' | 'perhaps' {
  const isInside = (report: number | null) => report !== null && report >= from && report < to;
  if (held.some(({ firstReport, lastReport }) => isInside(firstReport) || isInside(lastReport))) return 'yes';
  const surrounded = held.some(
    ({ firstReport, lastReport }) =>
      firstReport !== null && lastReport !== null && firstReport < from && lastReport >= to,
  );
  return surrounded ? 'perhaps' : 'no';
}
