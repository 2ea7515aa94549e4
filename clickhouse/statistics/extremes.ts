import type { Pauses } from '../pauses.ts';
import { countUpTo } from './gauge.ts';
import type { Place, PlacedReport } from './times.ts';
import { extremeOf, type GroupPeriods, orderOfWind } from './values.ts';

const HOUR = 3600;
/** °C by which an extreme of 24 hours may pass all else that is known of its hours. */
const TOLERANCE = 2;

/** The greatest and the least temperature. */
export type Extremes = readonly [max: number | undefined, min: number | undefined];

/** A report with extremes of six or 24 hours. */
export type ExtremeReport = {
  readonly report: PlacedReport;
  readonly six: Extremes;
  readonly day: Extremes;
};

/** The temperatures of a station in hundredths of 1 °C, and the times of their reports in ascending order. */
export type Temperatures = { readonly times: readonly number[]; readonly values: readonly number[] };

/** The groups of a station that get its extremes or peak winds. */
type PeriodGroups = {
  readonly place: Place;
  readonly groupAt: (group: string) => GroupPeriods;
  /** Only the first METARs of hours count. */
  readonly onlyFirst: boolean;
  readonly pauses: Pauses;
};

/**
 * Extremes of six and of 24 hours belong to the days in which all these hours lie, those of 24 hours if the rest bears them out
 * (D60).
 *
 * @param reports those with extremes, in the order of their times
 */
export async function addExtremes(
  reports: readonly ExtremeReport[],
  temperatures: Temperatures,
  { place, groupAt, onlyFirst, pauses }: PeriodGroups,
): Promise<void> {
  const { isInRange, dayAt } = place;
  /** Whether a report counts and its hours lie in its day. */
  const isCounted = ({ time, counts, isFirst }: PlacedReport, hours: 6 | 24): boolean =>
    counts &&
    (isFirst || !onlyFirst) &&
    isInRange(time) &&
    dayAt((endOf(time) - hours) * HOUR) === dayAt(time);
  const add = ({ time, others }: PlacedReport, [max, min]: Extremes) => {
    if (max === undefined && min === undefined) return;
    const group = groupAt(place.groupAt(time, others));
    group.highest = extremeOf(Math.max, group.highest, max);
    group.lowest = extremeOf(Math.min, group.lowest, min);
  };
  let at = 0;
  for (const { report, six } of reports) {
    if (pauses.isDue) await pauses.take();
    if (isCounted(report, 6)) add(report, six);
    if (isCounted(report, 24)) add(report, extremesOfDay(reports, at, temperatures));
    at += 1;
  }
}

/** The extremes of 24 hours that the rest of these hours bears out. */
function extremesOfDay(reports: readonly ExtremeReport[], at: number, temperatures: Temperatures): Extremes {
  const { report, day } = reports[at] as ExtremeReport;
  if (day[0] === undefined && day[1] === undefined) return day;
  const touching = touchingOf(reports, at);
  const borneOut = (of: 0 | 1) => {
    const value = day[of];
    return value !== undefined && isBorneOut({ of, value }, endOf(report.time), touching, temperatures)
      ? value
      : undefined;
  };
  return [borneOut(0), borneOut(1)];
}

/** The reports whose six hours touch the 24 hours of one of them. */
function touchingOf(reports: readonly ExtremeReport[], at: number): readonly ExtremeReport[] {
  const hourOf = (n: number) => endOf(reports[n]?.report.time ?? Number.NaN);
  let [first, last] = [at, at];
  while (hourOf(first - 1) >= hourOf(at) - 23) first -= 1;
  while (hourOf(last + 1) <= hourOf(at) + 5) last += 1;
  return reports.slice(first, last + 1);
}

/** By the extremes of six hours that touch the 24 hours up to `end`, and by the reports of hours that no such extreme covers. */
function isBorneOut(
  { of, value }: { readonly of: 0 | 1; readonly value: number },
  end: number,
  touching: readonly ExtremeReport[],
  { times, values }: Temperatures,
): boolean {
  const sixes = touching.filter(({ six }) => six[of] !== undefined);
  if (sixes.some(({ six }) => isNear(of, value, six[of] as number))) return true;
  const ends = sixes.map(({ report }) => endOf(report.time));
  for (let at = countUpTo(times, (end - 24) * HOUR); (times[at] as number) <= end * HOUR; at += 1) {
    const hour = Math.ceil((times[at] as number) / HOUR);
    const isCovered = ends.some((last) => hour > last - 6 && hour <= last);
    if (!isCovered && isNear(of, value, (values[at] as number) / 100)) return true;
  }
  return false;
}

/** The whole hour at which the hours of a report end, counted from 1970-01-01T00:00:00Z. */
function endOf(time: number): number {
  return Math.floor((time + HOUR / 2) / HOUR);
}

/** In tenths, as reports give them. */
function isNear(of: 0 | 1, value: number, bound: number): boolean {
  return Math.round((of === 0 ? value - bound : bound - value) * 10) <= TOLERANCE * 10;
}

/** A report with a peak wind in knots, and its time as `hhmm`. */
export type PeakReport = {
  readonly report: PlacedReport;
  readonly peak: number;
  readonly peakTime: number;
};

/** Peak winds belong to their own minute, which is up to a day before that of the report (D61). */
export async function addPeaks(
  reports: readonly PeakReport[],
  { place, groupAt, onlyFirst, pauses }: PeriodGroups,
): Promise<void> {
  for (const { report, peak, peakTime } of reports) {
    if (pauses.isDue) await pauses.take();
    const { time: reportedAt, counts, isFirst, others } = report;
    if (!counts || (onlyFirst && !isFirst)) continue;
    const minutes = Math.floor(peakTime / 100) * 60 + (peakTime % 100);
    const time = reportedAt - ((1440 + (Math.floor(reportedAt / 60) % 1440) - minutes) % 1440) * 60;
    if (!place.isInRange(time)) continue;
    const group = groupAt(place.groupAt(time, others));
    group.peak = Math.max(group.peak ?? 0, orderOfWind(peak, time));
  }
}
