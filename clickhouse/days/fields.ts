import { unitOfName } from '../model/units.ts';
import { NativeRows } from '../observations/native-columns.ts';
import type { ColumnType, RowColumn } from '../statements/print-rows.ts';

/**
 * The only list of what a record of a day has beside `station`, `date`, `n` and `expected` (D54, D72, D80). The table `days`,
 * daily records, conditions and statistics of days, and the values of months derive from it. A value that the reports of a
 * day do not give is absent, never 0. The members of `RowColumn` describe a column of answers, as SQL over a row of the table.
 */
export type DayField = RowColumn & {
  readonly kind: DayFieldKind;
  readonly meaning: string;
  /** SQL over a row of days: the value that conditions compare, if it is not the stored one. */
  readonly comparableSql?: string;
  /** The values of months that derive from it. */
  readonly month: readonly MonthValue[];
  /** Only values of months need it, so it is a column of the table but not of answers. */
  readonly isHidden?: true;
};

/** For each kind of value, the type of the column of the table (when not NULL), and the type in answers. */
const TYPES = {
  Float64: ['Float64', 'Nullable(Float64)'],
  /** In tenths. -0 is a value of its own (D62), stored as -0.05, which is below 0 and above -0.1. */
  Temperature: ['Float64', 'Nullable(Float64)'],
  Int32: ['Int32', 'Nullable(Int32)'],
  /** 1 or 0. */
  Flag: ['UInt8', 'Nullable(Int32)'],
  /** Seconds since 1970-01-01T00:00:00Z in columns, a time of ISO 8601 in answers. */
  DateTime: ["DateTime('UTC')", "Nullable(DateTime64(6, 'UTC'))"],
} as const satisfies Readonly<Record<string, readonly [string, ColumnType]>>;
type DayFieldKind = keyof typeof TYPES;

/** A value of months that is computed from one field of their days (D73). */
export type MonthValue = {
  readonly name: string;
  readonly meaning: string;
  /** `days`: the number of days whose value meets `isMet`. `max` and `min` have a date. */
  readonly fold: 'mean' | 'sum' | 'max' | 'min' | 'days';
  readonly isMet?: (value: number) => boolean;
};

/** Units of fields whose names have no suffix for the unit. */
const OTHER_UNITS: Readonly<Record<string, string>> = {
  mean_rh_pct: '%',
  time_of_max_gust: 'UTC',
  resultant_wdir: 'degrees true',
  fog_hours: 'h',
  thunder_hours: 'h',
};

/** @param month values of months; without a name or meaning of its own, a value has that of the field */
const field = <const Name extends string>(
  name: Name,
  kind: DayFieldKind,
  meaning: string,
  ...month: readonly (Partial<MonthValue> & Pick<MonthValue, 'fold'>)[]
) => ({
  name,
  kind,
  type: TYPES[kind][1],
  sql: kind === 'Temperature' ? `round(${name}, 1)` : name,
  unit: unitOfName(name) ?? OTHER_UNITS[name],
  meaning,
  month: month.map((value): MonthValue => ({ name, meaning, ...value })),
});

const mean = (name: string, of = 'means') =>
  ({ name, meaning: `mean of the daily ${of}`, fold: 'mean' }) as const;
const daysWith = (name: string, what: string, isMet: (value: number) => boolean) =>
  ({ name, meaning: `days with ${what}`, fold: 'days', isMet }) as const;
const MAX = { fold: 'max' } as const;
const MIN = { fold: 'min' } as const;

/** Kinds of weather at the station. */
const FLAGS = {
  fog: 'fog (`FG`, not shallow, partial or in patches)',
  thunder: 'a thunderstorm, also one that only the remarks report',
  snow: 'falling snow or snow grains',
  rain: 'rain or drizzle',
  freezing: 'freezing rain or drizzle',
  hail: 'hail or small hail',
  ice_pellets: 'ice pellets',
  drizzle: 'drizzle',
  showers: 'showers of any kind',
  mist: 'mist (`BR`)',
  haze: 'haze (`HZ`)',
} as const;
export type WeatherFlag = keyof typeof FLAGS;
export const WEATHER_FLAGS = Object.keys(FLAGS) as readonly WeatherFlag[];

/** In the order in which records print them. */
export const DAY_FIELDS = [
  field('mean_temp_c', 'Float64', 'mean temperature of the hourly sample', mean('mean_temp_c')),
  field(
    'min_temp_c',
    'Temperature',
    'lowest temperature of reports and of the extremes of six and 24 hours that lie in the day',
    mean('mean_min_temp_c', 'minima'),
    { ...MIN, meaning: 'lowest temperature' },
    daysWith('frost_days', 'a minimum below 0 °C', (celsius) => celsius < 0 || Object.is(celsius, -0)),
  ),
  field(
    'max_temp_c',
    'Temperature',
    'highest temperature, as `min_temp_c`',
    mean('mean_max_temp_c', 'maxima'),
    { ...MAX, meaning: 'highest temperature' },
    daysWith('hot_days', 'a maximum of 30 °C or more', (celsius) => celsius >= 30),
  ),
  field('mean_dewp_c', 'Float64', 'mean dew point of the hourly sample', mean('mean_dewp_c')),
  field('mean_rh_pct', 'Float64', 'mean relative humidity of the hourly sample', mean('mean_rh_pct')),
  field(
    'precip_in',
    'Float64',
    'precipitation: gauge hours, and amounts of six and 24 hours that lie in the day',
    { ...MAX, name: 'max_precip_in', meaning: 'greatest amount of a day' },
    daysWith('precip_days', '0.01 in or more', (inches) => inches >= 0.01),
  ),
  field('precip_trace', 'Flag', 'an hourly amount is a trace'),
  field(
    'precip_unsplit_in',
    'Float64',
    'amounts of six or 24 hours that end on this day and began on an earlier one, without what gauge hours have',
  ),
  {
    ...field(
      'precip_month_in',
      'Float64',
      'what the month has of the day: also amounts that no day may split; absent where hours are unknown',
      { name: 'precip_in', meaning: 'precipitation', fold: 'sum' },
    ),
    isHidden: true,
  },
  field(
    'snow_depth_in',
    'Float64',
    'snow depth at 12 UTC; without a group 0 if the station gives depths in that month, absent if it gives them both in the 24 hours before and in those after',
    mean('mean_snow_depth_in', 'depths'),
    daysWith('snow_cover_days', 'a depth of 1 in or more', (inches) => inches >= 1),
  ),
  field('max_snow_depth_in', 'Float64', 'greatest snow depth', MAX),
  field('mean_wspd_kt', 'Float64', 'mean wind speed of the hourly sample', mean('mean_wspd_kt')),
  field('max_wspd_kt', 'Int32', 'greatest mean wind speed of a report', MAX),
  {
    ...field(
      'max_gust_kt',
      'Int32',
      'greatest gust or peak wind; absent where none was reported, and below any number in conditions where the wind is known',
      { ...MAX, meaning: 'greatest gust or peak wind' },
    ),
    comparableSql: 'ifNull(max_gust_kt, if(isNull(max_wspd_kt), NULL, -1))',
  },
  field(
    'time_of_max_gust',
    'DateTime',
    'when it was observed, the first of equal ones: a peak wind at its own minute',
  ),
  field('resultant_wdir', 'Float64', 'direction of the mean wind vector of the hourly sample'),
  field('resultant_wspd_kt', 'Float64', 'speed of the mean wind vector'),
  field(
    'resultant_n',
    'Int32',
    'winds of variable direction of the hourly sample, which the vector leaves out',
  ),
  field('mean_slp_hpa', 'Float64', 'mean pressure at sea level of the hourly sample', mean('mean_slp_hpa')),
  field('min_slp_hpa', 'Float64', 'lowest pressure at sea level', MIN),
  field('max_slp_hpa', 'Float64', 'highest pressure at sea level', MAX),
  field('min_visib_m', 'Int32', 'lowest prevailing visibility', MIN),
  field('fog_hours', 'Int32', 'nominal hours with a report of fog'),
  field('thunder_hours', 'Int32', 'nominal hours with a report of thunder'),
  ...WEATHER_FLAGS.map((flag) =>
    field(
      flag,
      'Flag',
      FLAGS[flag],
      daysWith(`${flag}_days`, FLAGS[flag], (value) => value === 1),
    ),
  ),
  {
    ...field('is_whole', 'Flag', 'no run of more than six missing hours touches the day (D59)'),
    isHidden: true,
  },
] as const satisfies readonly DayField[];

export type DayFieldName = (typeof DAY_FIELDS)[number]['name'];

export const VISIBLE_DAY_FIELDS: readonly DayField[] = DAY_FIELDS.filter(
  (field: DayField) => !field.isHidden,
);

/**
 * Days of one station, one after another, by columns. NaN where a value is absent; temperatures as records print them, -0 too;
 * flags 1 or 0; times in seconds since 1970-01-01T00:00:00Z.
 */
export type Days = {
  /** Counted from 1970-01-01, in local time. */
  readonly date: Int32Array;
  /** Reports of the hourly sample. */
  readonly n: Int32Array;
  /** Clock hours that begin on the day; on a day that is not over, those that have begun. */
  readonly expected: Int32Array;
} & Readonly<Record<DayFieldName, Float64Array>>;

export function dayColumnType({ kind }: DayField): string {
  return `Nullable(${TYPES[kind][0]})`;
}

/** Collects rows of the table `days` with some of the fields. */
export function dayRows(fields: readonly DayField[] = DAY_FIELDS): NativeRows {
  return new NativeRows([
    ...Object.entries({ station: 'String', date: 'Date32', n: 'Int32', expected: 'Int32' }),
    ...fields.map((each) => [each.name, dayColumnType(each)] as const),
  ]);
}
