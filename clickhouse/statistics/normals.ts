import { groupBy } from '../group-by.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import type { Pauses } from '../pauses.ts';
import { MONTH_OF_MEAN_YEAR, WHOLE_YEAR } from './calendar.ts';
import { type Column, cellOf, numberOf } from './column.ts';
import { type CountedRow, valuesIn } from './merged-rows.ts';
import type { Question, Statistic } from './question.ts';

/**
 * How the value of a month follows from its days. `mean` and `sum` are means over the years with a complete month; a sum is
 * scaled to all days of the month where up to ten are missing. `max` and `min` are of all days of all years.
 */
type Rule = 'mean' | 'sum' | 'max' | 'min';

/** A value of the mean year, and the values of days that it is of. */
type NormalColumn = {
  readonly name: string;
  readonly of: Rule;
  /** The column of the daily values. */
  readonly day: string;
  /** A day counts 1 where it holds, else 0. */
  readonly isDayWith?: (value: number) => boolean;
};

/**
 * A value of days that the preset does not name: an amount of six hours over midnight counts in the month although neither day
 * knows its part (D58).
 */
const PRECIPITATION_OF_MONTH = {
  name: 'precip_of_month',
  kind: 'total',
  field: 'pcp1h_in',
  isOfMonth: true,
} as const satisfies Statistic;

/** The values of a mean year, each from a column that the preset `normals` has for days. */
const COLUMNS: readonly NormalColumn[] = [
  { name: 'mean_temp_c', of: 'mean', day: 'mean_temp_c' },
  { name: 'mean_max_temp_c', of: 'mean', day: 'max_temp_c' },
  { name: 'mean_min_temp_c', of: 'mean', day: 'min_temp_c' },
  { name: 'max_temp_c', of: 'max', day: 'max_temp_c' },
  { name: 'min_temp_c', of: 'min', day: 'min_temp_c' },
  { name: 'mean_dewp_c', of: 'mean', day: 'mean_dewp_c' },
  { name: 'mean_rh_pct', of: 'mean', day: 'mean_rh_pct' },
  { name: 'mean_wspd_kt', of: 'mean', day: 'mean_wspd_kt' },
  { name: 'mean_slp_hpa', of: 'mean', day: 'mean_slp_hpa' },
  { name: 'precip_in', of: 'sum', day: PRECIPITATION_OF_MONTH.name },
  { name: 'precip_days', of: 'sum', day: 'precip_in', isDayWith: (inches) => inches >= 0.01 },
  { name: 'frost_days', of: 'sum', day: 'min_temp_c', isDayWith: (celsius) => celsius < 0 },
  { name: 'hot_days', of: 'sum', day: 'max_temp_c', isDayWith: (celsius) => celsius >= 30 },
  { name: 'rain_days', of: 'sum', day: 'rain' },
  { name: 'snow_days', of: 'sum', day: 'snow' },
  { name: 'thunder_days', of: 'sum', day: 'thunder' },
  { name: 'fog_days', of: 'sum', day: 'fog' },
];

/** A month lacks a value where eleven days of it, or five in a row, have none (WMO-No. 1203, 4.4.1). */
const MOST_MISSING = 10;
const MOST_IN_A_ROW = 4;

/** The question for the days of a mean year. */
export function questionOfDays(question: Question): Question {
  return { ...question, statistics: [...question.statistics, PRECIPITATION_OF_MONTH] };
}

/** What the rows of mean years have after the station. */
export const GROUPS_OF_MEAN_YEAR: readonly Column[] = [MONTH_OF_MEAN_YEAR];
export const VALUES_OF_MEAN_YEAR: readonly Column[] = [
  countColumn('years'),
  ...COLUMNS.flatMap(({ name, of }): readonly Column[] => [
    { name, type: 'Nullable(Float64)' },
    ...(isOfYears(of) ? [countColumn(`${name}_years`)] : []),
  ]),
];

function countColumn(name: string): Column {
  return { name, type: 'Int64' };
}

/** A month of one year. */
type Month = {
  readonly station: number;
  readonly month: number;
  readonly n: number;
  /** Of `COLUMNS`. */
  readonly values: readonly (number | undefined)[];
};

/** A value, and of how many years it is the mean: 0 for extremes. */
type Normal = { readonly value: number | undefined; readonly years: number };

/**
 * The mean year of a station: its months, and the year.
 *
 * @param days in their order
 * @param ofDays the values of days
 */
export async function meanYearOf(
  days: Iterable<CountedRow>,
  ofDays: readonly Omit<Column, 'type'>[],
  pauses: Pauses,
): Promise<readonly CountedRow[]> {
  const all: Month[] = [];
  for (const month of monthsOf(days, ofDays)) {
    if (pauses.isDueNow) await pauses.take();
    all.push(month);
  }
  if (all.length === 0) return [];
  const months = [...groupBy(all, ({ month }) => month)].sort(([one], [other]) => one - other);
  const normals = months.map(([, same]) => COLUMNS.map(({ of }, n) => normalOfMonth(of, same, n)));
  const ofYear = COLUMNS.map(({ of }, n) =>
    normalOfYear(
      of,
      normals.flatMap((each) => each[n] ?? []),
    ),
  );
  return [
    ...months.map(([month, same], at) => rowOf(month, same, normals[at] ?? [])),
    rowOf(WHOLE_YEAR, all, ofYear),
  ];
}

/** The values of a day of the month. */
type Day = { readonly row: CountedRow; readonly date: Date };

/** Month by month, so that no more than the values of one are there. */
function* monthsOf(
  days: Iterable<CountedRow>,
  ofDays: readonly Omit<Column, 'type'>[],
): Generator<Month, undefined> {
  let ofMonth: Day[] = [];
  for (const row of days) {
    const date = new Date(Number(row.groups[0]) * SECONDS_PER_DAY * 1000);
    const month = ofMonth[0]?.date;
    if (
      month &&
      (month.getUTCMonth() !== date.getUTCMonth() || month.getUTCFullYear() !== date.getUTCFullYear())
    ) {
      yield monthOf(ofMonth, ofDays);
      ofMonth = [];
    }
    ofMonth.push({ row, date });
  }
  if (ofMonth.length > 0) yield monthOf(ofMonth, ofDays);
}

function monthOf(days: readonly Day[], ofDays: readonly Omit<Column, 'type'>[]): Month {
  const [{ row, date }] = days as readonly [Day, ...Day[]];
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const byDay: (readonly (number | undefined)[])[] = Array.from({ length }, () => []);
  for (const day of days) byDay[day.date.getUTCDate() - 1] = valuesIn(day.row, ofDays.length).map(numberOf);
  return {
    station: row.station,
    month: date.getUTCMonth() + 1,
    n: days.reduce((total, day) => total + Number(day.row.n), 0),
    values: COLUMNS.map((column) => {
      const place = ofDays.findIndex(({ name }) => name === column.day);
      return valueOfMonth(
        column,
        byDay.map((ofDay) => ofDay[place]),
        ofDays[place]?.print,
      );
    }),
  };
}

function rowOf(month: number, of: readonly Month[], normals: readonly Normal[]): CountedRow {
  const n = of.reduce((total, each) => total + each.n, 0);
  const years = Math.max(...normals.map((normal) => normal.years));
  const values = COLUMNS.flatMap((column, at) => {
    const { value, years } = normals[at] as Normal;
    return [
      cellOf(column.of === 'sum' ? withoutNoise(value) : value),
      ...(isOfYears(column.of) ? [`${years}`] : []),
    ];
  });
  return {
    station: of[0]?.station as number,
    groups: [`${month}`],
    n: `${n}`,
    values: [years, ...values].join('\t'),
  };
}

/** Over the years whose month is complete. */
function normalOfMonth(of: Rule, ofYears: readonly Month[], n: number): Normal {
  const values = ofYears.map(({ values }) => values[n]).filter((value) => value !== undefined);
  if (values.length === 0) return { value: undefined, years: 0 };
  if (!isOfYears(of)) return { value: Math[of](...values), years: 0 };
  return { value: sumOf(values) / values.length, years: values.length };
}

/** Means and sums need all months. */
function normalOfYear(of: Rule, months: readonly Normal[]): Normal {
  const values = months.map(({ value }) => value).filter((value) => value !== undefined);
  if (values.length === 0 || (isOfYears(of) && values.length < 12)) return { value: undefined, years: 0 };
  if (!isOfYears(of)) return { value: Math[of](...values), years: 0 };
  const years = Math.min(...months.map((month) => month.years));
  return { value: of === 'sum' ? sumOf(values) : sumOf(values) / values.length, years };
}

/** @param ofDays for each day of the month */
function valueOfMonth(
  { of, isDayWith }: NormalColumn,
  ofDays: readonly (number | undefined)[],
  print: Column['print'],
): number | undefined {
  const known = ofDays.filter((value) => value !== undefined);
  if (!isOfYears(of)) return known.length === 0 ? undefined : printed(Math[of](...known), print);
  if (ofDays.length - known.length > MOST_MISSING || longestGap(ofDays) > MOST_IN_A_ROW) return undefined;
  const counted = known.map((value) =>
    isDayWith ? Number(isDayWith(value)) : of === 'mean' && print ? printed(value, print) : value,
  );
  return (sumOf(counted) / counted.length) * (of === 'sum' ? ofDays.length : 1);
}

function printed(compared: number, print: Column['print']): number {
  return print ? Number(print(cellOf(compared))) : compared;
}

/** The most days without a value one after another. */
function longestGap(ofDays: readonly (number | undefined)[]): number {
  let [longest, gap] = [0, 0];
  for (const value of ofDays) {
    gap = value === undefined ? gap + 1 : 0;
    longest = Math.max(longest, gap);
  }
  return longest;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isOfYears(of: Rule): of is 'mean' | 'sum' {
  return of === 'mean' || of === 'sum';
}

/** Amounts of days are whole hundredths of an inch, and their sum as doubles is 0.30000000000000004. */
function withoutNoise(sum: number | undefined): number | undefined {
  return sum === undefined ? undefined : Number(sum.toPrecision(15));
}
