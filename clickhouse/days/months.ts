import { DAY_FIELDS, type DayField, type DayFieldName, type Days, type MonthValue } from './fields.ts';
import { firstDayOf, monthOfDay } from './local-month.ts';
import { rounded } from './means.ts';
import { countBefore } from './reports.ts';

/** The values of months, each with the field of days that it derives from, in the order of `DAY_FIELDS`. */
export const MONTH_VALUES = DAY_FIELDS.flatMap((of: DayField & { readonly name: DayFieldName }) =>
  of.month.map((value) => ({ ...value, of })),
);

export const FIELDS_OF_MONTHS: readonly DayField[] = DAY_FIELDS.filter(
  ({ name, month }) => month.length > 0 || name === 'is_whole',
);

/**
 * Records of one station by columns, which have the names of answers: `n`, `expected`, and values. Beside each value is how many
 * days or years are known (`_days`, `_years`), and beside an extreme the first day that has it (`_date`), counted from 1970-01-01.
 * NaN if a value is absent. `at` orders the records of a station.
 */
export type Folded = { readonly at: Float64Array; [name: string]: Float64Array };

export const isExtreme = ({ fold }: MonthValue) => fold === 'max' || fold === 'min';

/** A mean is absent where eleven days of the month, or five in a row, are not known (WMO-No. 1203, 4.4.1). */
const MOST_MISSING = 10;
const MOST_IN_A_ROW = 4;

/**
 * The months of one station, from its days (D73). The column `days` counts days with enough reports for means and extremes (D59).
 * Sums and numbers of days are those of the known days: nothing is scaled (D77). `at` counts months as `localMonth` does.
 *
 * @param days in ascending order, with the fields `FIELDS_OF_MONTHS`
 */
export function monthsOf(days: Days): Folded {
  const months = monthsIn(days.date);
  const sums = (values: ArrayLike<number>) =>
    Float64Array.from(months, ({ begin, end }) => {
      let total = 0;
      for (let row = begin; row < end; row += 1) total += values[row] as number;
      return total;
    });
  const at = Float64Array.from(months, ({ month }) => month);
  const columns: Folded = {
    at,
    year: at.map((month) => Math.floor(month / 12)),
    month: at.map((month) => (month % 12) + 1),
    days: sums(days.is_whole),
    n: sums(days.n),
    expected: sums(days.expected),
  };
  for (const value of MONTH_VALUES) {
    const { values, counts, dates } = foldValue(value, days, months);
    columns[value.name] = values;
    columns[`${value.name}_days`] = counts;
    if (isExtreme(value)) columns[`${value.name}_date`] = dates;
  }
  return columns;
}

type Month = ReturnType<typeof monthsIn>[number];

/** The calendar months from the first to the last of some days: the days of each, and the rows of these days, `[begin, end)`. */
function monthsIn(dates: Int32Array) {
  const [first, last] = [dates[0], dates.at(-1)].map((day) => monthOfDay(day as number)) as [number, number];
  return Array.from({ length: last + 1 - first }, (_, n) => {
    const [firstDay, endDay] = [firstDayOf(first + n), firstDayOf(first + n + 1)];
    const [begin, end] = [countBefore(dates, firstDay), countBefore(dates, endDay)];
    return { month: first + n, firstDay, endDay, begin, end };
  });
}

/** A value of each month, the number of known days, and the day of an extreme. To be fast, makes no object per day or month. */
function foldValue({ of, fold, isMet }: (typeof MONTH_VALUES)[number], days: Days, months: readonly Month[]) {
  const absent = () => new Float64Array(months.length).fill(Number.NaN);
  const [values, counts, dates] = [absent(), absent(), absent()] as const;
  const ofDays = days[of.name];
  const isKnown = isKnownOf(of.name, days);
  for (let n = 0; n < months.length; n += 1) {
    const { firstDay, endDay, begin, end } = months[n] as Month;
    let known = 0;
    let result = 0;
    let longestGap = 0;
    let last = firstDay - 1;
    for (let row = begin; row < end; row += 1) {
      const value = ofDays[row] as number;
      if (Number.isNaN(value) || !isKnown(row)) continue;
      const day = days.date[row] as number;
      if (day - last - 1 > longestGap) longestGap = day - last - 1;
      last = day;
      known += 1;
      if (fold === 'days') result += isMet?.(value) ? 1 : 0;
      else if (fold === 'mean' || fold === 'sum') result += value;
      else if (known === 1 || (fold === 'max' ? value > result : value < result)) {
        result = value;
        dates[n] = day;
      }
    }
    counts[n] = known;
    longestGap = Math.max(longestGap, endDay - last - 1);
    if (known === 0) continue;
    if (fold === 'max' || fold === 'min') values[n] = result;
    else if (fold !== 'mean') values[n] = rounded(result);
    else if (endDay - firstDay - known <= MOST_MISSING && longestGap <= MOST_IN_A_ROW)
      values[n] = rounded(result / known) + 0;
  }
  return { values, counts, dates };
}

/**
 * Whether a value of a day counts in its month. On a day with too few reports, only values count that do not need the whole day
 * (D76): the depth of snow at 12 UTC, and amounts whose hours are covered by groups of six or 24 hours.
 */
function isKnownOf(of: DayFieldName, { is_whole, precip_month_in }: Days): (row: number) => boolean {
  if (of === 'precip_month_in' || of === 'snow_depth_in') return () => true;
  if (of !== 'precip_in') return (row) => is_whole[row] === 1;
  return (row) => is_whole[row] === 1 || !Number.isNaN(precip_month_in[row]);
}
