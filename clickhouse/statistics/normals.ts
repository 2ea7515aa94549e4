import { groupBy } from '../group-by.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { MONTH_OF_MEAN_YEAR, WHOLE_YEAR } from './calendar.ts';
import { ABSENT, type Column, printedSql } from './column.ts';
import { knownSql } from './complete-days.ts';
import type { CountedRow } from './merged-rows.ts';
import type { Question, Statistic } from './question.ts';

const MONTHS = readStatement('statistics/months');

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
  readonly isDayWith?: string;
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
  { name: 'precip_days', of: 'sum', day: 'precip_in', isDayWith: '>= 0.01' },
  { name: 'frost_days', of: 'sum', day: 'min_temp_c', isDayWith: '< 0' },
  { name: 'hot_days', of: 'sum', day: 'max_temp_c', isDayWith: '>= 30' },
  { name: 'rain_days', of: 'sum', day: 'rain' },
  { name: 'snow_days', of: 'sum', day: 'snow' },
  { name: 'thunder_days', of: 'sum', day: 'thunder' },
  { name: 'fog_days', of: 'sum', day: 'fog' },
];

/** A month lacks a value where eleven days of it, or five in a row, have none (WMO-No. 1203, 4.4.1). */
const MOST_MISSING = 10;
const MISSING_IN_A_ROW = '1'.repeat(5);

/** The question for the days of a mean year. */
export function questionOfDays(question: Question): Question {
  return { ...question, statistics: [...question.statistics, PRECIPITATION_OF_MONTH] };
}

/**
 * The statement of the months of stations and years.
 *
 * @param days SQL: rows of stations and days
 * @param ofDays the values in these rows, those of the statistics of the question
 */
export function monthsSql(
  days: string,
  ofDays: readonly Column[],
  { statistics, days: which }: Question,
): string {
  const values = COLUMNS.map(({ of, day, isDayWith = '' }) => {
    const n = ofDays.findIndex(({ name }) => name === day);
    const value =
      which === 'complete' ? knownSql(statistics[n] as Statistic, `_value${n}`, '_isComplete') : `_value${n}`;
    return `toFloat64(${of === 'mean' ? printedSql(ofDays[n] as Column, value) : value} ${isDayWith})`;
  });
  return fillSql(MONTHS, { days, valuesOfDay: values.join(', ') });
}

/** What the rows of mean years have after the station. */
export const GROUPS_OF_MEAN_YEAR: readonly Column[] = [{ name: 'month', ...MONTH_OF_MEAN_YEAR }];
export const VALUES_OF_MEAN_YEAR: readonly Column[] = [
  countColumn('years'),
  ...COLUMNS.flatMap(({ name, of }): readonly Column[] => [
    { name, sql: '', type: 'Nullable(Float64)' },
    ...(isOfYears(of) ? [countColumn(`${name}_years`)] : []),
  ]),
];

function countColumn(name: string): Column {
  return { name, sql: '', type: 'Int64' };
}

/** A row of the statement; the lists have the values of `COLUMNS`. */
type Month = readonly [
  station: number,
  year: number,
  month: number,
  n: number,
  means: readonly (number | null)[],
  greatest: readonly (number | null)[],
  least: readonly (number | null)[],
  /** The first day of the month is bit 0. */
  daysWithValue: readonly number[],
];

/** A value, and of how many years it is the mean: 0 for extremes. */
type Normal = { readonly value: number | undefined; readonly years: number };

/** The mean years of stations, in the order of stations, from lines of months in this order. */
export class MeanYears {
  #months: Month[] = [];

  /** The rows of the stations before the last one of these lines. */
  *upTo(lines: Buffer): Generator<CountedRow, undefined> {
    for (const line of lines.toString().trimEnd().split('\n')) {
      const month = JSON.parse(line) as Month;
      if (this.#months[0] !== undefined && this.#months[0][0] !== month[0]) yield* this.rest();
      this.#months.push(month);
    }
  }

  *rest(): Generator<CountedRow, undefined> {
    const months = this.#months;
    this.#months = [];
    yield* meanYearOf(months);
  }
}

/** The rows of one station: its months, and the year. */
function* meanYearOf(all: readonly Month[]): Generator<CountedRow, undefined> {
  const months = [...groupBy(all, ([, , month]) => month)].sort(([one], [other]) => one - other);
  const normals = months.map(([, ofYears]) => COLUMNS.map(({ of }, n) => normalOfMonth(of, ofYears, n)));
  for (const [at, [month, ofYears]] of months.entries()) yield rowOf(month, ofYears, normals[at] ?? []);
  const ofYear = COLUMNS.map(({ of }, n) =>
    normalOfYear(
      of,
      normals.flatMap((each) => each[n] ?? []),
    ),
  );
  if (all.length > 0) yield rowOf(WHOLE_YEAR, all, ofYear);
}

function rowOf(month: number, of: readonly Month[], normals: readonly Normal[]): CountedRow {
  const n = of.reduce((total, [, , , reports]) => total + reports, 0);
  const years = Math.max(...normals.map((normal) => normal.years));
  const values = COLUMNS.flatMap((column, at) => {
    const { value, years } = normals[at] as Normal;
    const text = value === undefined ? ABSENT : numberText(column.of === 'sum' ? withoutNoise(value) : value);
    return [text, ...(isOfYears(column.of) ? [`${years}`] : [])];
  });
  return {
    station: of[0]?.[0] as number,
    groups: [`${month}`],
    n: `${n}`,
    values: Buffer.from([years, ...values].join('\t')),
  };
}

/** Over the years whose month is complete. */
function normalOfMonth(of: Rule, ofYears: readonly Month[], n: number): Normal {
  const values = ofYears.map((month) => valueOfMonth(of, month, n)).filter((value) => value !== undefined);
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

function valueOfMonth(of: Rule, [, year, month, , ...values]: Month, n: number): number | undefined {
  const [means, greatest, least, daysWithValue] = values;
  if (!isOfYears(of)) return printedTemperature((of === 'max' ? greatest : least)[n]);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const missing = (~(daysWithValue[n] ?? 0) & (2 ** days - 1)).toString(2);
  if (missing.replaceAll('0', '').length > MOST_MISSING || missing.includes(MISSING_IN_A_ROW))
    return undefined;
  return (means[n] as number) * (of === 'sum' ? days : 1);
}

/** -0, which is compared as -0.05, is the negative zero of floating-point numbers. */
function printedTemperature(value: number | null | undefined): number | undefined {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : undefined;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isOfYears(of: Rule): of is 'mean' | 'sum' {
  return of === 'mean' || of === 'sum';
}

/** Amounts of days are whole hundredths of an inch, and their sum as doubles is 0.30000000000000004. */
function withoutNoise(sum: number): number {
  return Number(sum.toPrecision(15));
}

/** `-0` keeps its sign. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
