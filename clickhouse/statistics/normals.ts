import { fillSql, readStatement } from '../statements/sql.ts';
import type { GroupColumn } from './row-columns.ts';
import { comparableValue, printedValue, type ValueColumn } from './value-columns.ts';

const NORMALS = readStatement('statistics/normals');

/** A value of the mean year: how that of a month follows from the days, and which days. */
type Normal = {
  readonly name: string;
  /**
   * `mean` and `sum` are means over the years with a complete month; a sum is scaled to all days of the month where up to
   * ten are missing. `max` and `min` are of all days of all years.
   */
  readonly of: 'mean' | 'sum' | 'max' | 'min';
  /** The column of the daily values. */
  readonly day: string;
  /** A day counts 1 where it holds, else 0. */
  readonly isDayWith?: string;
};

/** Of the columns of the preset `normals` of the api, which are those of days. */
const COLUMNS: readonly Normal[] = [
  { name: 'mean_temp_c', of: 'mean', day: 'mean_temp_c' },
  { name: 'mean_max_temp_c', of: 'mean', day: 'max_temp_c' },
  { name: 'mean_min_temp_c', of: 'mean', day: 'min_temp_c' },
  { name: 'max_temp_c', of: 'max', day: 'max_temp_c' },
  { name: 'min_temp_c', of: 'min', day: 'min_temp_c' },
  { name: 'mean_dewp_c', of: 'mean', day: 'mean_dewp_c' },
  { name: 'mean_rh_pct', of: 'mean', day: 'mean_rh_pct' },
  { name: 'mean_wspd_kt', of: 'mean', day: 'mean_wspd_kt' },
  { name: 'mean_slp_hpa', of: 'mean', day: 'mean_slp_hpa' },
  { name: 'precip_in', of: 'sum', day: 'precip_in' },
  { name: 'precip_days', of: 'sum', day: 'precip_in', isDayWith: '>= 0.01' },
  { name: 'frost_days', of: 'sum', day: 'min_temp_c', isDayWith: '< 0' },
  { name: 'hot_days', of: 'sum', day: 'max_temp_c', isDayWith: '>= 30' },
  { name: 'rain_days', of: 'sum', day: 'rain' },
  { name: 'snow_days', of: 'sum', day: 'snow' },
  { name: 'thunder_days', of: 'sum', day: 'thunder' },
  { name: 'fog_days', of: 'sum', day: 'fog' },
];

/** Absent in the row of the year. */
const MONTH: GroupColumn = {
  name: 'month',
  alias: '_group0',
  sql: '_group0',
  print: '_group0',
  type: 'whole',
  isCalendar: true,
};

/** A month lacks a value where eleven days of it, or five in a row, have none (WMO-No. 1203, 4.4.1). */
const MOST_MISSING = 10;
const MISSING_IN_A_ROW = 5;

/**
 * A mean year by month, and its year: means over years of the values of months, which are made from days.
 *
 * @param joined rows of stations and days
 * @param daily the values in these rows
 */
export function normalsSql(joined: string, daily: readonly ValueColumn[]) {
  const dayOf = new Map(daily.map((value) => [value.name, value]));
  const valueOfDay = ({ of, day, isDayWith = '' }: Normal) => {
    const value = dayOf.get(day);
    if (value === undefined) throw new Error(`Days have no ${day}`);
    return `toFloat64(${of === 'mean' ? printedValue(value) : comparableValue(value)} ${isDayWith})`;
  };
  const sql = fillSql(NORMALS, {
    joined,
    days: COLUMNS.map(valueOfDay).join(', '),
    rules: `[${COLUMNS.map(({ of }) => `'${of}'`).join(', ')}]`,
    mostMissing: `${MOST_MISSING}`,
    gap: `'${'1'.repeat(MISSING_IN_A_ROW)}'`,
  });
  const values = COLUMNS.flatMap(({ name, of }, n): readonly ValueColumn[] => [
    {
      name,
      alias: `_values[${n + 1}]`,
      sql: '',
      type: of === 'max' || of === 'min' ? 'temperature' : 'number',
    },
    ...(of === 'mean' || of === 'sum' ? [countColumn(`${name}_years`, `_years[${n + 1}]`)] : []),
  ]);
  return { sql, groups: [MONTH], values: [countColumn('years', 'arrayMax(_years)'), ...values] };
}

function countColumn(name: string, alias: string): ValueColumn {
  return { name, alias, sql: '', type: 'count' };
}
