import { SECONDS_PER_HOUR } from '../model/day.ts';
import { nearestHour } from './gauge.ts';
import { absent, type MonthReports } from './local-month.ts';
import type { DayColumns } from './means.ts';
import { countBefore, type Reports } from './reports.ts';

/** °C by which an extreme of 24 hours may exceed the other known values of its hours (D60). */
const TOLERANCE = 2;

type Kind = 'max' | 'min';
const passes = (kind: Kind, value: number, bound: number) => (kind === 'max' ? value > bound : value < bound);

/** An extreme of six or 24 hours, which end at the whole hour nearest to the time of its report. */
type Extreme = Readonly<Record<'begin' | 'end' | 'time' | 'value', number>>;
const timeOf = (extreme: Extreme | undefined) => extreme?.time ?? Number.POSITIVE_INFINITY;

/**
 * The highest and the lowest temperature of each day (D54): of its reports, and of the extremes of six and 24 hours whose hours
 * all lie in the day.
 */
export function temperatureExtremes(reports: MonthReports): DayColumns {
  return { max_temp_c: extremeOfDays('max', reports), min_temp_c: extremeOfDays('min', reports) };
}

function extremeOfDays(kind: Kind, all: MonthReports): Float64Array {
  const { reports, days, dayOf } = all;
  const sixHours = extremesIn(reports, kind === 'max' ? reports.maxt6_c : reports.mint6_c, 6);
  const found = absent(all);
  const add = (day: number, value: number) => {
    const other = found[day];
    if (other === undefined || Number.isNaN(value)) return;
    if (Number.isNaN(other) || passes(kind, order(value), order(other))) found[day] = value;
  };
  let first = 0;
  for (const [day, { begin, end }] of days.entries())
    for (let row = begin; row < end; row += 1) {
      const time = reports.time[row] as number;
      while (timeOf(sixHours[first]) < time) first += 1;
      add(day, withinCover(kind, reports.temp_c[row] as number, time, sixHours, first));
    }
  const ofDays = extremesIn(reports, kind === 'max' ? reports.maxt24_c : reports.mint24_c, 24);
  for (const each of [...sixHours, ...ofDays.filter((day) => isConfirmed(kind, day, sixHours, reports))]) {
    const day = dayOf(each.begin);
    if (day === dayOf(each.end - 1)) add(day, each.value);
  }
  return found;
}

/** -0 is below 0 and above -0.1 (D62). */
function order(celsius: number): number {
  return Object.is(celsius, -0) ? -0.05 : celsius;
}

function extremesIn({ time }: Reports, values: Float64Array, hours: 6 | 24): readonly Extreme[] {
  const extremes: Extreme[] = [];
  for (let row = 0; row < time.length; row += 1) {
    const value = Math.round((values[row] as number) * 10) / 10;
    if (Number.isNaN(value)) continue;
    const end = nearestHour(time[row] as number);
    extremes.push({ begin: end - hours * SECONDS_PER_HOUR, end, time: time[row] as number, value });
  }
  return extremes;
}

/**
 * Limits a temperature without tenths to the extremes that reports of the next six hours give (D80): if the minimum of six
 * hours is -1.6, `M02` of a special report was -1.5 or -1.6.
 *
 * @param first the index of the first of `sixHours` whose report is of `time` or later
 */
function withinCover(kind: Kind, value: number, time: number, sixHours: readonly Extreme[], first: number) {
  if (!Number.isInteger(value)) return value;
  let bound: number | undefined;
  for (let n = first; timeOf(sixHours[n]) < time + 6 * SECONDS_PER_HOUR; n += 1) {
    const six = sixHours[n] as Extreme;
    if (bound === undefined || passes(kind, six.value, bound)) bound = six.value;
  }
  return bound !== undefined && passes(kind, order(value), bound) ? bound : value;
}

/**
 * Whether other values of its hours confirm an extreme of 24 hours (D60). It may exceed by up to 2 °C one of the extremes of six
 * hours that touch its hours, or one of the reports in hours that none of these covers.
 */
function isConfirmed(kind: Kind, day: Extreme, sixHours: readonly Extreme[], { time, temp_c }: Reports) {
  const { begin, end, value } = day;
  const isNear = (bound: number) =>
    Math.round((kind === 'max' ? value - bound : bound - value) * 10) <= TOLERANCE * 10;
  const touching = sixHours.filter((six) => six.end > begin && six.begin < end);
  if (touching.some((six) => isNear(six.value))) return true;
  for (let row = countBefore(time, begin + 1); (time[row] as number) <= end; row += 1) {
    const at = time[row] as number;
    if (touching.some((six) => at > six.begin && at <= six.end)) continue;
    if (isNear(temp_c[row] as number)) return true;
  }
  return false;
}
