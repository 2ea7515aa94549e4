import { dayStart, firstYoungDay } from './day.ts';
import type { Seconds } from './range.ts';
import type { Source } from './report.ts';
import type { Listing } from './stations.ts';

/** Which days of a year are done, 1 to 366. */
export type DoneDays = {
  readonly year: number;
  /** `days` where it names any; otherwise all from `first` to `last`, and none where these are the wrong way round. */
  readonly first: number;
  readonly last: number;
  readonly days: readonly number[];
};

/** What the archive holds of one station and year from one source. */
export type HeldYear = DoneDays & {
  readonly source: Source;
  /** Seconds since 1970-01-01T00:00:00Z; `null` where only the ledger knows of the year. */
  readonly firstReport: number | null;
  readonly lastReport: number | null;
};

const DAY = 86_400;

/**
 * Whether the requested days of a year are all done (D13, D14): in the ledger of a source that lists the station, or
 * outside its period of record, and in any case not younger than 72 hours.
 *
 * @param held what the sources in `listings` have of the station or of all stations
 */
export function isYearDone(
  year: number,
  range: Seconds,
  held: readonly HeldYear[],
  listings: readonly Listing[],
  now: Date,
): boolean {
  const { first, last } = daysWithin(year, range);
  if (last >= ordinal(year, dayStart(firstYoungDay(now)))) return false;
  return openDays(needed(year, { first, last }, listings), year, held).next().done === true;
}

/**
 * The days of a year, 1 to 366, on which the sources in `listings` may hold something, younger than 72 hours excepted:
 * those that are done, and those of which nothing has been loaded yet (D13).
 */
export function daysOwed(
  year: number,
  range: Seconds,
  held: readonly DoneDays[],
  listings: readonly Listing[],
  now: Date,
): { readonly done: readonly number[]; readonly open: readonly number[] } {
  const { first, last } = daysWithin(year, range);
  const lastOld = Math.min(last, ordinal(year, dayStart(firstYoungDay(now))) - 1);
  const days = needed(year, { first, last: lastOld }, listings);
  const open = new Set(openDays(days, year, held));
  const done: number[] = [];
  for (let day = days.first; day <= days.last; day += 1) if (!open.has(day)) done.push(day);
  return { done, open: [...open] };
}

type Days = { readonly first: number; readonly last: number };

/** What the period of record leaves of the days. That it has ended is known up to the day on which a source said so. */
function needed(year: number, { first, last }: Days, listings: readonly Listing[]): Days {
  const record = periodOfRecord(listings);
  const told = Math.min(
    ...listings.map(({ listedDay }) => (listedDay ? ordinal(year, dayStart(listedDay)) : Infinity)),
  );
  return {
    first: Math.max(first, ordinal(year, record.from)),
    last: last < told ? Math.min(last, ordinal(year, record.to - 1)) : last,
  };
}

function* openDays({ first, last }: Days, year: number, held: readonly DoneDays[]): Generator<number> {
  if (first > last) return;
  const ofYear = held.filter((each) => each.year === year);
  const runs = ofYear.filter(({ days }) => days.length === 0);
  if (runs.some((run) => run.first <= first && run.last >= last)) return;
  const done = new Set(ofYear.flatMap(({ days }) => days));
  const isInRun = (day: number) => runs.some((run) => run.first <= day && run.last >= day);
  for (let day = first; day <= last; day += 1) if (!done.has(day) && !isInRun(day)) yield day;
}

function daysWithin(year: number, { from, to }: Seconds): Days {
  const newYear = Date.UTC(year, 0) / 1000;
  const lengthOfYear = (Date.UTC(year + 1, 0) / 1000 - newYear) / DAY;
  return { first: Math.max(1, ordinal(year, from)), last: Math.min(lengthOfYear, ordinal(year, to - 1)) };
}

function ordinal(year: number, seconds: number): number {
  return Math.floor((seconds - Date.UTC(year, 0) / 1000) / DAY) + 1;
}

/**
 * From the first to the last day that any source states. All time where one of them states none: that it holds nothing
 * on a day is known only when it was asked.
 */
function periodOfRecord(listings: readonly Listing[]): Seconds {
  const stated = listings.flatMap(({ firstDay, lastDay }) =>
    firstDay === undefined ? [] : [{ firstDay, lastDay }],
  );
  if (stated.length < listings.length || stated.length === 0)
    return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return {
    from: Math.min(...stated.map(({ firstDay }) => dayStart(firstDay))),
    to: Math.max(
      ...stated.map(({ lastDay }) =>
        lastDay === undefined ? Number.POSITIVE_INFINITY : dayStart(lastDay) + DAY,
      ),
    ),
  };
}

/**
 * Whether a range holds reports, by the first and last of each year. Between the two only the reports can tell;
 * a range that spans more than one year always holds the last of one or the first of the next, if there is any.
 */
export function reportsWithin({ from, to }: Seconds, held: readonly HeldYear[]): 'yes' | 'no' | 'perhaps' {
  const isInside = (report: number | null) => report !== null && report >= from && report < to;
  if (held.some(({ firstReport, lastReport }) => isInside(firstReport) || isInside(lastReport))) return 'yes';
  const surrounded = held.some(
    ({ firstReport, lastReport }) =>
      firstReport !== null && lastReport !== null && firstReport < from && lastReport >= to,
  );
  return surrounded ? 'perhaps' : 'no';
}
