import { SECONDS_PER_HOUR } from '../model/day.ts';
import { wholeDays } from './complete.ts';
import { temperatureExtremes } from './extremes.ts';
import { DAY_FIELDS, type DayFieldName, type Days, WEATHER_FLAGS } from './fields.ts';
import { type LocalMonth, type MonthReports, monthReports } from './local-month.ts';
import { type DayColumns, MEANS, means, resultantWinds } from './means.ts';
import { precipitation } from './precipitation.ts';
import type { Reports } from './reports.ts';
import { canDecide, snowDepths, weatherOfDays } from './weather.ts';
import { extremeOfReports, strongestWinds } from './winds.ts';

/**
 * The days of a month of one station, as far as its reports say (D54, D58 to D61, D72, D76, D78, D80). It reads nothing but its
 * arguments.
 *
 * @param reports of `timesOfMonth`
 * @param until the present: no report can be of this time or later
 */
export function daysOf(reports: Reports, month: LocalMonth, until: number): Days {
  const calendar = calendarOf(month, until);
  // A thousand stations have many months without reports.
  if (reports.time.length === 0) return { ...withoutValues(calendar.date.length), ...calendar };
  const { midnights } = month;
  const all = monthReports(reports, month);
  const wholeOf = wholeDaysOf(all, until);
  const isWhole = wholeOf('is_whole');
  const columns: DayColumns = {
    ...means(all),
    ...resultantWinds(all),
    ...temperatureExtremes(all),
    ...strongestWinds(all),
    max_wspd_kt: extremeOfReports('max', 'wspd_kt', all),
    min_slp_hpa: extremeOfReports('min', 'slp_hpa', all),
    max_slp_hpa: extremeOfReports('max', 'slp_hpa', all),
    min_visib_m: extremeOfReports('min', 'visib_m', all),
    ...weatherOfDays(all),
    ...snowDepths(all),
  };
  for (const [name, values] of Object.entries(columns)) keepOfPartDays(name, values, wholeOf(name));
  const amounts = precipitation(all, isWhole, wholeOf('rain'));
  // A day that is not over counts in no month.
  const isOver = (day: number) => (midnights[day + 1] as number) <= until;
  return {
    ...(columns as Record<DayFieldName, Float64Array>),
    ...(amounts as Record<DayFieldName, Float64Array>),
    precip_month_in: amounts.precip_month_in.map((inches, day) => (isOver(day) ? inches : Number.NaN)),
    is_whole: new Float64Array(isWhole).map((whole, day) => (isOver(day) ? whole : 0)),
    ...calendar,
    n: Int32Array.from(all.days, ({ sample }) => sample.length),
  };
}

function calendarOf({ firstDay, midnights }: LocalMonth, until: number): Pick<Days, 'date' | 'expected'> {
  const expected = midnights.slice(1).map((end, day) => {
    const begin = midnights[day] as number;
    return Math.max(0, hoursBefore(Math.min(end, until)) - hoursBefore(begin));
  });
  return { date: Int32Array.from(expected, (_, day) => firstDay + day), expected: Int32Array.from(expected) };
}

function withoutValues(length: number): Omit<Days, 'date' | 'expected'> {
  const none = new Float64Array(length).fill(Number.NaN);
  const fields = Object.fromEntries(DAY_FIELDS.map(({ name }) => [name, none]));
  return {
    ...(fields as Record<DayFieldName, Float64Array>),
    is_whole: new Float64Array(length),
    n: new Int32Array(length),
  };
}

/** Values above 0 of these stay on a day of which too little is known: something was there, or was measured (D59). */
const SEEN: ReadonlySet<string> = new Set([...WEATHER_FLAGS, 'fog_hours', 'thunder_hours', 'snow_depth_in']);

/** A day of which too little is known has no means and extremes. */
function keepOfPartDays(name: string, values: Float64Array, isWhole: Uint8Array): void {
  for (let day = 0; day < isWhole.length; day += 1) {
    const isSeen = SEEN.has(name) && (values[day] as number) > 0;
    if (isWhole[day] === 0 && !isSeen) values[day] = Number.NaN;
  }
}

/** What reports must have for a value of days: a day of 24 reports of which two have a temperature has no mean of it. */
const NEEDED: Readonly<Record<string, keyof Reports | 'fog' | 'thunder'>> = {
  ...MEANS,
  min_temp_c: 'temp_c',
  max_temp_c: 'temp_c',
  max_wspd_kt: 'wspd_kt',
  max_gust_kt: 'wspd_kt',
  time_of_max_gust: 'wspd_kt',
  resultant_wdir: 'wspd_kt',
  resultant_wspd_kt: 'wspd_kt',
  resultant_n: 'wspd_kt',
  min_slp_hpa: 'slp_hpa',
  max_slp_hpa: 'slp_hpa',
  min_visib_m: 'visib_m',
  ...Object.fromEntries([...WEATHER_FLAGS, 'fog_hours'].map((name) => [name, 'fog'])),
  thunder: 'thunder',
  thunder_hours: 'thunder',
};

/** The days of which enough is known for a value (D59). */
function wholeDaysOf(all: MonthReports, until: number): (name: string) => Uint8Array {
  const { reports } = all;
  const found = new Map<string | undefined, Uint8Array>();
  return (name) => {
    const needed = NEEDED[name];
    const isKnown = (row: number) => {
      if (needed === undefined) return true;
      if (needed === 'fog' || needed === 'thunder') return canDecide(reports, row, needed);
      return !Number.isNaN(reports[needed][row]);
    };
    const days = found.get(needed) ?? wholeDays(all, until, isKnown);
    found.set(needed, days);
    return days;
  };
}

/** Clock hours that begin before a time. */
function hoursBefore(time: number): number {
  return Math.ceil(time / SECONDS_PER_HOUR);
}
