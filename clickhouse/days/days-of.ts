import { SECONDS_PER_HOUR } from '../model/day.ts';
import { wholeDays } from './complete.ts';
import { temperatureExtremes } from './extremes.ts';
import { DAY_FIELDS, type DayFieldName, type Days, WEATHER_FLAGS } from './fields.ts';
import { type LocalMonth, monthReports } from './local-month.ts';
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
  const all = monthReports(reports, month);
  const isWhole = wholeDays(all, until);
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
  keepOfPartDays(columns, isWhole);
  const amounts = precipitation(all, isWhole);
  // A day that is not over counts in no month.
  const isOver = (day: number) => (midnights[day + 1] as number) <= until;
  return {
    ...(columns as Record<DayFieldName, Float64Array>),
    ...(amounts as Record<DayFieldName, Float64Array>),
    precip_month_in: amounts.precip_month_in.map((inches, day) => (isOver(day) ? inches : Number.NaN)),
    is_whole: new Float64Array(isWhole).map((whole, day) => (isOver(day) ? whole : 0)),
    date: Int32Array.from(all.days, (_, day) => firstDay + day),
    n: Int32Array.from(all.days, ({ sample }) => sample.length),
    expected: Int32Array.from(all.days, (_, day) => {
      const [begin, end] = [midnights[day], midnights[day + 1]] as [number, number];
      return Math.max(0, hoursBefore(Math.min(end, until)) - hoursBefore(begin));
    }),
  };
}

/** Values above 0 of these stay on a day of which too little is known: something was there, or was measured (D59). */
const SEEN: ReadonlySet<string> = new Set([...WEATHER_FLAGS, 'fog_hours', 'thunder_hours', 'snow_depth_in']);

/** A day of which too little is known has no means and extremes. */
function keepOfPartDays(columns: DayColumns, isWhole: Uint8Array): void {
  for (const { name } of DAY_FIELDS) {
    const values = columns[name];
    for (let day = 0; values !== undefined && day < isWhole.length; day += 1) {
      const isSeen = SEEN.has(name) && (values[day] as number) > 0;
      if (isWhole[day] === 0 && !isSeen) values[day] = Number.NaN;
    }
  }
}

/** Clock hours that begin before a time. */
function hoursBefore(time: number): number {
  return Math.ceil(time / SECONDS_PER_HOUR);
}
