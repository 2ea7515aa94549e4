import { SECONDS_PER_HOUR } from '../model/day.ts';
import { type Evidence, wholeDays } from './complete.ts';
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
  const calendar = calendarOf(month, until);
  // A thousand stations have many months without reports.
  if (reports.time.length === 0) return { ...withoutValues(calendar.date.length), ...calendar };
  const { midnights } = month;
  const all = monthReports(reports, month);
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
  const whole = wholeDays(all, until);
  for (const [name, values] of Object.entries(columns))
    keepOfPartDays(name, values, whole[EVIDENCE_OF.get(name) ?? 'any']);
  const amounts = precipitation(all, whole.any, whole.weather);
  // A day that is not over counts in no month.
  const isOver = (day: number) => (midnights[day + 1] as number) <= until;
  return {
    ...(columns as Record<DayFieldName, Float64Array>),
    ...(amounts as Record<DayFieldName, Float64Array>),
    precip_month_in: amounts.precip_month_in.map((inches, day) => (isOver(day) ? inches : Number.NaN)),
    is_whole: Float64Array.from(whole.any, (isWhole, day) => (isOver(day) ? isWhole : 0)),
    ...calendar,
    n: Int32Array.from(all.days, ({ sample }) => sample.length),
  };
}

function calendarOf({ firstDay, midnights }: LocalMonth, until: number): Pick<Days, 'date' | 'expected'> {
  /** Clock hours that begin before a time. */
  const hoursBefore = (time: number) => Math.ceil(time / SECONDS_PER_HOUR);
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

/** Values of days by the evidence that they need: a day whose 24 reports include only two temperatures has no mean temperature. */
const VALUES_BY_EVIDENCE: readonly (readonly [Evidence, ...names: DayFieldName[]])[] = [
  ['temp_c', 'mean_temp_c', 'min_temp_c', 'max_temp_c'],
  ['dewp_c', 'mean_dewp_c'],
  ['rh_pct', 'mean_rh_pct'],
  ['wspd_kt', 'mean_wspd_kt', 'max_wspd_kt', 'max_gust_kt', 'time_of_max_gust'],
  ['wspd_kt', 'resultant_wdir', 'resultant_wspd_kt', 'resultant_n'],
  ['slp_hpa', 'mean_slp_hpa', 'min_slp_hpa', 'max_slp_hpa'],
  ['visib_m', 'min_visib_m'],
  ['weather', 'fog_hours', ...WEATHER_FLAGS.filter((flag) => flag !== 'thunder')],
  ['thunder', 'thunder', 'thunder_hours'],
];
const EVIDENCE_OF: ReadonlyMap<string, Evidence> = new Map(
  VALUES_BY_EVIDENCE.flatMap(([needed, ...names]) => names.map((name) => [name, needed] as const)),
);

/** Values above 0 of these fields are kept on a day with too few reports, because something was seen (D59). */
const SEEN: ReadonlySet<string> = new Set([...WEATHER_FLAGS, 'fog_hours', 'thunder_hours']);

/** Removes means and extremes from days with too few reports. The snow depth at 12 UTC needs only the report of that time. */
function keepOfPartDays(name: string, values: Float64Array, isWhole: Uint8Array): void {
  if (name === 'snow_depth_in') return;
  for (let day = 0; day < isWhole.length; day += 1) {
    const isSeen = SEEN.has(name) && (values[day] as number) > 0;
    if (isWhole[day] === 0 && !isSeen) values[day] = Number.NaN;
  }
}
