import type { Report } from '../../../clickhouse/model/report.ts';
import { valueOfField } from '../conditions/judge.ts';
import { numberIn } from '../statistics/numbers.ts';

/** Extremes of six and 24 hours (D54, D60), and peak winds (D61), of one station. */

export type Extreme = {
  readonly value: number;
  /** Of the report; of a peak wind, its own minute. */
  readonly time: number;
  /** Hours before the report that it is the extreme of; 0 for a value of the report's own time. */
  readonly hours: number;
  readonly report: Report;
};

const HOUR = 3600;
const DAY = 24 * HOUR;
/** °C by which an extreme of 24 hours may pass everything else that is known of its hours. */
const TOLERANCE = 2;

/** Values of reports, and those extremes of six and 24 hours that nothing refutes. */
export function temperatures(reports: readonly Report[], of: 'max' | 'min'): readonly Extreme[] {
  const valuesOf = (field: string, hours: number): readonly Extreme[] =>
    reports.flatMap((report) => {
      const value = numberIn(report, field);
      return value === undefined ? [] : [{ value, time: report.observedAt, hours, report }];
    });
  const values = valuesOf('temp_c', 0);
  const sixHours = valuesOf(`${of}t6_c`, 6);
  const known = values.map((each) => (isInTenths(each) ? each : withinCover(each, sixHours, of)));
  const days = valuesOf(`${of}t24_c`, 24).filter((day) => isBorneOut(day, values, sixHours, of));
  return [...known, ...sixHours, ...days];
}

const isInTenths = ({ report }: Extreme) => report.decoded.temp_c?.includes('.') === true;

/** A temperature in whole degrees says nothing beyond the widest extreme of six hours that covers it (D80). */
function withinCover(each: Extreme, sixHours: readonly Extreme[], of: 'max' | 'min'): Extreme {
  const covering = sixHours.filter(({ time }) => each.time > time - 6 * HOUR && each.time <= time);
  if (covering.length === 0) return each;
  const bound = Math[of](...covering.map(({ value }) => value));
  return (of === 'max' ? each.value > bound : each.value < bound) ? { ...each, value: bound } : each;
}

/** The hours of an extreme end at the full hour nearest to its report; a value of the report's own time is at that time. */
export function hoursOf({ time, hours }: Extreme): { readonly begin: number; readonly end: number } {
  const end = hours === 0 ? time + 1 : Math.round(time / HOUR) * HOUR;
  return { begin: hours === 0 ? time : end - hours * HOUR, end };
}

/**
 * Whether other values of its hours confirm an extreme of 24 hours: the extremes of six hours that touch them, and the reports
 * of hours that none of these covers. If it passes all of them by more than 2 °C, it is an error.
 */
function isBorneOut(
  day: Extreme,
  values: readonly Extreme[],
  sixHours: readonly Extreme[],
  of: 'max' | 'min',
): boolean {
  const { begin, end } = hoursOf(day);
  const touching = sixHours.filter((six) => hoursOf(six).end > begin && hoursOf(six).begin < end);
  const isCovered = (time: number) =>
    touching.some((six) => time > hoursOf(six).begin && time <= hoursOf(six).end);
  const rest = values.filter(({ time }) => time > begin && time <= end && !isCovered(time));
  const passes = [...touching, ...rest].map(({ value }) =>
    of === 'max' ? day.value - value : value - day.value,
  );
  // In tenths, as reports give them.
  return passes.some((celsius) => Math.round(celsius * 10) <= TOLERANCE * 10);
}

/** Gusts, at the time of their report, and peak winds, at the time of the wind. */
export function winds(reports: readonly Report[]): readonly Extreme[] {
  return reports.flatMap((report) => {
    const [gust, peak] = [numberIn(report, 'wgst_kt'), numberIn(report, 'pk_wspd_kt')];
    const at = valueOfField('pk_time', report);
    const winds: Extreme[] = [];
    if (gust !== undefined) winds.push({ value: gust, time: report.observedAt, hours: 0, report });
    if (peak === undefined || at === undefined) return winds;
    const midnight = Math.floor(report.observedAt / DAY) * DAY;
    const clock = midnight + Number(String(at).slice(0, 2)) * HOUR + Number(String(at).slice(2)) * 60;
    const time = clock > report.observedAt ? clock - DAY : clock;
    return [...winds, { value: peak, time, hours: 0, report }];
  });
}
