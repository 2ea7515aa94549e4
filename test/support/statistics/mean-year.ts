import type { Question } from '../../../clickhouse/statistics/question.ts';
import type { Row } from './oracle.ts';

/** How a value of the mean year follows from days: a mean of values, a number of days, an amount, or an extreme. */
const RULES: Readonly<
  Record<string, readonly [of: 'mean' | 'sum' | 'max' | 'min', day: (row: Row) => unknown]>
> = {
  mean_temp_c: ['mean', (day) => day.mean_temp_c],
  mean_max_temp_c: ['mean', (day) => day.max_temp_c],
  mean_min_temp_c: ['mean', (day) => day.min_temp_c],
  max_temp_c: ['max', (day) => day.max_temp_c],
  min_temp_c: ['min', (day) => day.min_temp_c],
  mean_dewp_c: ['mean', (day) => day.mean_dewp_c],
  mean_rh_pct: ['mean', (day) => day.mean_rh_pct],
  mean_wspd_kt: ['mean', (day) => day.mean_wspd_kt],
  mean_slp_hpa: ['mean', (day) => day.mean_slp_hpa],
  precip_in: ['sum', (day) => day.precip_of_month],
  precip_days: [
    'sum',
    ({ precip_in }) => (precip_in === undefined ? undefined : Number(Number(precip_in) >= 0.01)),
  ],
  frost_days: [
    'sum',
    // -0 is below 0 (D62).
    ({ min_temp_c }) =>
      min_temp_c === undefined ? undefined : Number(Number(min_temp_c) < 0 || Object.is(min_temp_c, -0)),
  ],
  hot_days: [
    'sum',
    ({ max_temp_c }) => (max_temp_c === undefined ? undefined : Number(Number(max_temp_c) >= 30)),
  ],
  rain_days: ['sum', (day) => day.rain],
  snow_days: ['sum', (day) => day.snow],
  thunder_days: ['sum', (day) => day.thunder],
  fog_days: ['sum', (day) => day.fog],
};

/** The question for the days of a mean year, and for what their months take of amounts over midnight (D58). */
export function daysOfMeanYear<Q extends Question>(question: Q): Q {
  const total = { name: 'precip_of_month', kind: 'total', field: 'pcp1h_in', isOfMonth: true } as const;
  return { ...question, statistics: [...question.statistics, total] };
}

/** The mean year of daily rows by its definition, month by month. */
export function meanYearByDefinition(days: readonly Row[]): readonly Row[] {
  return [...new Set(days.map(({ station }) => station))].flatMap((station) => {
    const ofStation = days.filter((day) => day.station === station);
    const months = [...new Set(ofStation.map(monthOf))].toSorted((one, other) => one - other);
    const rows = months.map((month) => ({
      station,
      month,
      ...monthRow(ofStation.filter((day) => monthOf(day) === month)),
    }));
    return [...rows, { station, ...yearRow(rows) }];
  });
}

const monthOf = ({ date }: Row) => Number(String(date).slice(5, 7));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const total = (rows: readonly Row[], name: string) => sum(rows.map((row) => Number(row[name])));

function monthRow(days: readonly Row[]): Row {
  const years = [...new Set(days.map(({ date }) => String(date).slice(0, 7)))];
  const values = Object.entries(RULES).map(([name, [of, dayOf]]) => {
    if (of === 'max' || of === 'min') {
      const all = days.flatMap((day) => (dayOf(day) === undefined ? [] : [Number(dayOf(day))]));
      return { name, value: all.length === 0 ? undefined : Math[of](...all) };
    }
    const ofYears = years.flatMap((year) => {
      const [number, month] = year.split('-').map(Number) as [number, number];
      const length = new Date(Date.UTC(number, month, 0)).getUTCDate();
      const byDay = Array.from({ length }, (_, n) => {
        const day = days.find(({ date }) => date === `${year}-${String(n + 1).padStart(2, '0')}`);
        return day === undefined ? undefined : dayOf(day);
      });
      const missing = byDay.map((value) => (value === undefined ? '-' : '+')).join('');
      if (missing.includes('-----') || missing.replaceAll('+', '').length >= 11) return [];
      const known = byDay.filter((value) => value !== undefined).map(Number);
      return [(sum(known) / known.length) * (of === 'sum' ? length : 1)];
    });
    return {
      name,
      value: ofYears.length === 0 ? undefined : sum(ofYears) / ofYears.length,
      years: ofYears.length,
    };
  });
  return printed(days, values);
}

function yearRow(months: readonly Row[]): Row {
  const values = Object.entries(RULES).map(([name, [of]]) => {
    const known = months.flatMap((month) => (month[name] === undefined ? [] : [Number(month[name])]));
    if (of === 'max' || of === 'min')
      return { name, value: known.length === 0 ? undefined : Math[of](...known) };
    if (known.length < 12) return { name, value: undefined, years: 0 };
    const years = Math.min(...months.map((month) => Number(month[`${name}_years`])));
    return { name, value: of === 'sum' ? sum(known) : sum(known) / 12, years };
  });
  return printed(months, values);
}

function printed(
  of: readonly Row[],
  values: readonly { readonly name: string; readonly value: number | undefined; readonly years?: number }[],
): Row {
  return {
    n: total(of, 'n'),
    expected: total(of, 'expected'),
    years: Math.max(...values.map(({ years = 0 }) => years)),
    ...Object.fromEntries(
      values.flatMap(({ name, value, years }) => [
        ...(value === undefined ? [] : [[name, value] as const]),
        ...(years === undefined ? [] : [[`${name}_years`, years] as const]),
      ]),
    ),
  };
}
