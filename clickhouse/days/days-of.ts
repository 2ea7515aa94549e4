import { SECONDS_PER_HOUR } from '../model/day.ts';
import { wholeDays } from './complete.ts';
import { temperatureExtremes } from './extremes.ts';
import { DAY_FIELDS, type DayFieldName, type Days, WEATHER_FLAGS } from './fields.ts';
import { dayFinder, type LocalMonth } from './local-month.ts';
import { type DayColumns, means, resultantWinds } from './means.ts';
import { precipitation } from './precipitation.ts';
import type { Reports } from './reports.ts';
import { snowDepths, weatherOfDays } from './weather.ts';
import { extremeOfReports, strongestWinds } from './winds.ts';

/**
 * The days of a month of one station, as far as its reports say (D54, D58 to D61, D72, D76, D78, D80). It reads nothing but its
 * arguments.
 *
 * @param reports of `timesOfMonth`
 * @param until the present: no report can be of this time or later
 */
export function daysOf(reports: Reports, month: LocalMonth, until: number): Days {
  const { firstDay, midnights } = month;
  const count = midnights.length - 1;
  const dayOf = dayFinder(month);
  const days = new Int32Array(reports.time.length);
  for (let row = 0; row < days.length; row += 1) days[row] = dayOf(reports.time[row] as number);
  const isWhole = wholeDays(reports, month, until);
  const extreme = (kind: 'max' | 'min', values: Float64Array) => extremeOfReports(kind, values, days, count);
  const columns: DayColumns = {
    ...means(reports, days, count),
    ...resultantWinds(reports, days, count),
    ...temperatureExtremes(reports, days, count, dayOf),
    ...strongestWinds(reports, days, count, dayOf),
    max_wspd_kt: extreme('max', reports.wspd_kt),
    min_slp_hpa: extreme('min', reports.slp_hpa),
    max_slp_hpa: extreme('max', reports.slp_hpa),
    min_visib_m: extreme('min', reports.visib_m),
    ...weatherOfDays(reports, days, count),
    ...snowDepths(reports, days, count),
  };
  keepOfPartDays(columns, isWhole);
  const amounts = precipitation(reports, days, month, dayOf, isWhole);
  // A day that is not over counts in no month.
  const isOver = (day: number) => (midnights[day + 1] as number) <= until;
  return {
    ...(columns as Record<DayFieldName, Float64Array>),
    ...(amounts as Record<DayFieldName, Float64Array>),
    precip_month_in: amounts.precip_month_in.map((inches, day) => (isOver(day) ? inches : Number.NaN)),
    is_whole: new Float64Array(isWhole).map((whole, day) => (isOver(day) ? whole : 0)),
    date: Int32Array.from({ length: count }, (_, day) => firstDay + day),
    n: countFirst(reports, days, count),
    expected: Int32Array.from({ length: count }, (_, day) => {
      const [begin, end] = [midnights[day], midnights[day + 1]] as [number, number];
      return Math.max(0, hoursBefore(Math.min(end, until)) - hoursBefore(begin));
    }),
  };
}

/** Values that stay on a day of which too little is known, where they say that something was there (D59). */
const SEEN: ReadonlySet<string> = new Set([...WEATHER_FLAGS, 'fog_hours', 'thunder_hours']);

/** A day of which too little is known has no means and extremes. The depth at 12 UTC stays where it was measured. */
function keepOfPartDays(columns: DayColumns, isWhole: Uint8Array): void {
  for (const { name } of DAY_FIELDS) {
    const values = columns[name];
    for (let day = 0; values !== undefined && day < isWhole.length; day += 1) {
      const isSeen = (SEEN.has(name) || name === 'snow_depth_in') && (values[day] as number) > 0;
      if (isWhole[day] === 0 && !isSeen) values[day] = Number.NaN;
    }
  }
}

/** Clock hours that begin before a time. */
function hoursBefore(time: number): number {
  return Math.ceil(time / SECONDS_PER_HOUR);
}

function countFirst({ isFirst }: Reports, days: Int32Array, count: number): Int32Array {
  const n = new Int32Array(count);
  for (let row = 0; row < days.length; row += 1) {
    const day = days[row] as number;
    if (isFirst[row] === 1 && day >= 0 && day < count) n[day] = (n[day] as number) + 1;
  }
  return n;
}
