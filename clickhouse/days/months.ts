import { DAY_FIELDS, type DayField, type DayFieldName, type Days, type MonthValue } from './fields.ts';
import { firstDayOf, monthOfDay } from './local-month.ts';
import { rounded } from './means.ts';

/** The values of months, each with the field of days that it is of, in the order of `DAY_FIELDS`. */
export const MONTH_VALUES: readonly (MonthValue & { readonly of: DayFieldName })[] = DAY_FIELDS.flatMap(
  ({ name, month = [] }: DayField & { readonly name: DayFieldName }) =>
    month.map((value) => ({ ...value, of: name })),
);

/** A value of a month. */
type MonthCell = {
  /** NaN where it is absent. */
  readonly value: number;
  /** The days that are known. */
  readonly days: number;
  /** All days of the month are known. */
  readonly isComplete: boolean;
  /** Of an extreme, the first day that has it, counted from 1970-01-01. */
  readonly date?: number;
};

/** A month of a station, counted as `localMonth` does. */
export type Month = {
  readonly month: number;
  /** Reports of the hourly sample, and the hours that could have one. */
  readonly n: number;
  readonly expected: number;
  /** Days of which enough is known for means and extremes (D59). */
  readonly days: number;
  /** By `MONTH_VALUES`. */
  readonly cells: ReadonlyMap<string, MonthCell>;
};

/** A mean is absent where eleven days of the month, or five in a row, are not known (WMO-No. 1203, 4.4.1). */
const MOST_MISSING = 10;
const MOST_IN_A_ROW = 4;

/**
 * The months of the days of one station (D73). Sums and numbers of days are those of the days that are known: nothing is scaled
 * (D77).
 *
 * @param days in their order
 */
export function monthsOf(days: Days): readonly Month[] {
  const months: Month[] = [];
  for (let begin = 0, end = 0; begin < days.date.length; begin = end) {
    const month = monthOfDay(days.date[begin] as number);
    const next = firstDayOf(month + 1);
    while (end < days.date.length && (days.date[end] as number) < next) end += 1;
    months.push(monthOf(days, month, begin, end));
  }
  return months;
}

function monthOf(days: Days, month: number, begin: number, end: number): Month {
  const sum = (values: ArrayLike<number>) => {
    let total = 0;
    for (let row = begin; row < end; row += 1) total += values[row] as number;
    return total;
  };
  return {
    month,
    n: sum(days.n),
    expected: sum(days.expected),
    days: sum(days.is_whole),
    cells: new Map(MONTH_VALUES.map((value) => [value.name, cellOf(value, days, month, begin, end)])),
  };
}

function cellOf(
  { of, fold, isMet }: (typeof MONTH_VALUES)[number],
  days: Days,
  month: number,
  begin: number,
  end: number,
): MonthCell {
  const values = days[of];
  const length = firstDayOf(month + 1) - firstDayOf(month);
  let [known, total, longestGap, last] = [0, 0, 0, firstDayOf(month) - 1];
  let [extreme, date] = [Number.NaN, 0];
  for (let row = begin; row < end; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value) || !isKnown(of, days, row)) continue;
    const day = days.date[row] as number;
    longestGap = Math.max(longestGap, day - last - 1);
    last = day;
    known += 1;
    total += isMet === undefined ? value : Number(isMet(value));
    if (Number.isNaN(extreme) || (fold === 'max' ? value > extreme : value < extreme))
      [extreme, date] = [value, day];
  }
  longestGap = Math.max(longestGap, firstDayOf(month + 1) - last - 1);
  const counts = { days: known, isComplete: known === length };
  if (known === 0) return { value: Number.NaN, ...counts };
  if (fold === 'max' || fold === 'min') return { value: extreme, ...counts, date };
  if (fold !== 'mean') return { value: rounded(total), ...counts };
  const isAbsent = length - known > MOST_MISSING || longestGap > MOST_IN_A_ROW;
  return { value: isAbsent ? Number.NaN : rounded(total / known) + 0, ...counts };
}

/**
 * Whether a value of a day counts in its month. One of which too little is known lacks whatever needs the whole day, wet or dry
 * (D76): not the depth of snow at 12 UTC, nor amounts of hours that six- or 24-hour groups cover.
 */
function isKnown(of: DayFieldName, days: Days, row: number): boolean {
  if (of === 'snow_depth_in' || of === 'precip_month_in') return true;
  return (
    days.is_whole[row] === 1 || (of === 'precip_in' && !Number.isNaN(days.precip_month_in[row] as number))
  );
}
