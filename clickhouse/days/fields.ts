import type { AttachedFile } from '../archive.ts';

/**
 * The only list of what a record of a day has beside `station`, `date`, `n` and `expected` (D54, D72, D80). The table `days`,
 * daily records, conditions and statistics of days, and the values of months derive from it. A value that the reports of a
 * day do not give is absent, never 0.
 */
export type DayField = {
  readonly name: string;
  readonly type: DayFieldType;
  readonly unit?: string;
  readonly meaning: string;
  /** What a month has of it. */
  readonly month?: readonly MonthValue[];
  /** Only the values of months need it: a column of the table, and of no answer. */
  readonly isHidden?: true;
};

/**
 * `Temperature`: in tenths, and -0 is a value of its own (D62). `Flag`: 1 or 0. `DateTime`: seconds since
 * 1970-01-01T00:00:00Z in columns, a time of ISO 8601 in answers.
 */
export type DayFieldType = 'Float64' | 'Temperature' | 'Int32' | 'Flag' | 'DateTime';

/** A value of months, of the values of one field by day (D73). */
export type MonthValue = {
  readonly name: string;
  readonly meaning: string;
  /** `days`: the number of days whose value meets `isMet`. `max` and `min` have a date. */
  readonly fold: 'mean' | 'sum' | 'max' | 'min' | 'days';
  readonly isMet?: (value: number) => boolean;
};

const meanOf = (name: string, meaning: string): MonthValue => ({ name, meaning, fold: 'mean' });
const greatest = (name: string, meaning: string): MonthValue => ({ name, meaning, fold: 'max' });
const least = (name: string, meaning: string): MonthValue => ({ name, meaning, fold: 'min' });
const daysWith = (name: string, meaning: string, isMet: (value: number) => boolean): MonthValue => ({
  name,
  meaning,
  fold: 'days',
  isMet,
});

const isFlagSet = (flag: number) => flag === 1;

/** Kinds of weather, with what the day has seen at the station. */
const FLAGS = {
  fog: 'fog (`FG`, not shallow, partial or in patches)',
  thunder: 'a thunderstorm, also one that only remarks tell of',
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
  {
    name: 'mean_temp_c',
    type: 'Float64',
    unit: '°C',
    meaning: 'mean temperature of the hourly sample',
    month: [meanOf('mean_temp_c', 'mean of the daily means')],
  },
  {
    name: 'min_temp_c',
    type: 'Temperature',
    unit: '°C',
    meaning: 'lowest temperature of reports and of the extremes of six and 24 hours that lie in the day',
    month: [
      meanOf('mean_min_temp_c', 'mean of the daily minima'),
      least('min_temp_c', 'lowest temperature'),
      daysWith(
        'frost_days',
        'days with a minimum below 0 °C',
        (celsius) => celsius < 0 || Object.is(celsius, -0),
      ),
    ],
  },
  {
    name: 'max_temp_c',
    type: 'Temperature',
    unit: '°C',
    meaning: 'highest temperature, as `min_temp_c`',
    month: [
      meanOf('mean_max_temp_c', 'mean of the daily maxima'),
      greatest('max_temp_c', 'highest temperature'),
      daysWith('hot_days', 'days with a maximum of 30 °C or more', (celsius) => celsius >= 30),
    ],
  },
  {
    name: 'mean_dewp_c',
    type: 'Float64',
    unit: '°C',
    meaning: 'mean dew point of the hourly sample',
    month: [meanOf('mean_dewp_c', 'mean of the daily means')],
  },
  {
    name: 'mean_rh_pct',
    type: 'Float64',
    unit: '%',
    meaning: 'mean relative humidity of the hourly sample',
    month: [meanOf('mean_rh_pct', 'mean of the daily means')],
  },
  {
    name: 'precip_in',
    type: 'Float64',
    unit: 'in',
    meaning: 'precipitation: gauge hours, and amounts of six and 24 hours that lie in the day',
    month: [
      greatest('max_precip_in', 'greatest amount of a day'),
      daysWith('precip_days', 'days with 0.01 in or more', (inches) => inches >= 0.01),
    ],
  },
  { name: 'precip_trace', type: 'Flag', meaning: 'an hourly amount is a trace' },
  {
    name: 'precip_unsplit_in',
    type: 'Float64',
    unit: 'in',
    meaning:
      'amounts of six or 24 hours that end on this day and began on an earlier one, as far as no gauge hour has them',
  },
  {
    name: 'precip_month_in',
    type: 'Float64',
    unit: 'in',
    meaning:
      'what the month has of the day: also amounts that no day may split; absent where hours are unknown',
    month: [{ name: 'precip_in', meaning: 'precipitation', fold: 'sum' }],
    isHidden: true,
  },
  {
    name: 'snow_depth_in',
    type: 'Float64',
    unit: 'in',
    meaning: 'snow depth at 12 UTC; 0 without a group where the station gives depths in that month',
    month: [
      meanOf('mean_snow_depth_in', 'mean of the daily depths'),
      daysWith('snow_cover_days', 'days with a depth of 1 in or more', (inches) => inches >= 1),
    ],
  },
  {
    name: 'max_snow_depth_in',
    type: 'Float64',
    unit: 'in',
    meaning: 'greatest snow depth',
    month: [greatest('max_snow_depth_in', 'greatest snow depth')],
  },
  {
    name: 'mean_wspd_kt',
    type: 'Float64',
    unit: 'kt',
    meaning: 'mean wind speed of the hourly sample',
    month: [meanOf('mean_wspd_kt', 'mean of the daily means')],
  },
  {
    name: 'max_wspd_kt',
    type: 'Int32',
    unit: 'kt',
    meaning: 'greatest mean wind speed of a report',
    month: [greatest('max_wspd_kt', 'greatest mean wind speed of a report')],
  },
  {
    name: 'max_gust_kt',
    type: 'Int32',
    unit: 'kt',
    meaning:
      'greatest gust or peak wind; absent where none was reported, and below any number in conditions where the wind is known',
    month: [greatest('max_gust_kt', 'greatest gust or peak wind')],
  },
  {
    name: 'time_of_max_gust',
    type: 'DateTime',
    unit: 'UTC',
    meaning: 'when it was observed, the first of equal ones: a peak wind at its own minute',
  },
  {
    name: 'resultant_wdir',
    type: 'Float64',
    unit: 'degrees true',
    meaning: 'direction of the mean wind vector of the hourly sample',
  },
  { name: 'resultant_wspd_kt', type: 'Float64', unit: 'kt', meaning: 'speed of the mean wind vector' },
  {
    name: 'resultant_n',
    type: 'Int32',
    meaning: 'winds of variable direction of the hourly sample, which the vector leaves out',
  },
  {
    name: 'mean_slp_hpa',
    type: 'Float64',
    unit: 'hPa',
    meaning: 'mean pressure at sea level of the hourly sample',
    month: [meanOf('mean_slp_hpa', 'mean of the daily means')],
  },
  {
    name: 'min_slp_hpa',
    type: 'Float64',
    unit: 'hPa',
    meaning: 'lowest pressure at sea level',
    month: [least('min_slp_hpa', 'lowest pressure at sea level')],
  },
  {
    name: 'max_slp_hpa',
    type: 'Float64',
    unit: 'hPa',
    meaning: 'highest pressure at sea level',
    month: [greatest('max_slp_hpa', 'highest pressure at sea level')],
  },
  {
    name: 'min_visib_m',
    type: 'Int32',
    unit: 'm',
    meaning: 'lowest prevailing visibility',
    month: [least('min_visib_m', 'lowest prevailing visibility')],
  },
  { name: 'fog_hours', type: 'Int32', unit: 'h', meaning: 'nominal hours with a report of fog' },
  { name: 'thunder_hours', type: 'Int32', unit: 'h', meaning: 'nominal hours with a report of thunder' },
  ...WEATHER_FLAGS.map((name) => ({
    name,
    type: 'Flag' as const,
    meaning: FLAGS[name],
    month: [daysWith(`${name}_days`, `days with ${FLAGS[name]}`, isFlagSet)],
  })),
  {
    name: 'is_whole',
    type: 'Flag',
    meaning: 'no run of more than six missing hours touches the day (D59)',
    isHidden: true,
  },
] as const satisfies readonly DayField[];

export type DayFieldName = (typeof DAY_FIELDS)[number]['name'];

/** Those of records of days. */
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

/** The ClickHouse type of a present value. */
const DAY_VALUE_TYPES: Readonly<Record<DayFieldType, string>> = {
  Float64: 'Float64',
  Temperature: 'Float64',
  Int32: 'Int32',
  Flag: 'UInt8',
  DateTime: "DateTime('UTC')",
};

export function dayColumnType({ type }: DayField): string {
  return `Nullable(${DAY_VALUE_TYPES[type]})`;
}

/** SQL over a row of days: the value that records print. -0 is stored as -0.05, which is below 0 and above -0.1. */
export function printedDayValue({ name, type }: DayField): string {
  return type === 'Temperature' ? `round(${name}, 1)` : name;
}

/** SQL over a row of days: the value that conditions compare. A day whose wind is known and that has no gust is below any. */
export function comparableDayValue({ name }: DayField): string {
  return name === 'max_gust_kt' ? 'ifNull(max_gust_kt, if(isNull(max_wspd_kt), NULL, -1))' : name;
}

/**
 * Where a statement finds days: those that are stored, and those computed now.
 *
 *     SELECT station, date, n, expected, max_temp_c FROM ${from} WHERE …
 *
 * The columns have the names and, but for `station` (String), `date` (Date32), `n` and `expected` (Int32), the types of
 * `DAY_FIELDS`, hidden ones too.
 */
export type DaySource = {
  readonly from: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Sent with the statement. */
  readonly file?: AttachedFile;
};
