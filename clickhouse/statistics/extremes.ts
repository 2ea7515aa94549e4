import type { Place } from './times.ts';
import { extremeOf, type GroupPeriods, orderOfWind } from './values.ts';

const HOUR = 3600;
/** °C by which an extreme of 24 hours may pass all else that is known of its hours. */
const TOLERANCE = 2;

/** The greatest and the least temperature. */
type Extremes = readonly [max: number | undefined, min: number | undefined];

/** A report with extremes of six or 24 hours. */
export type ExtremeReport = {
  readonly time: number;
  readonly six: Extremes;
  readonly day: Extremes;
  /** It meets the condition of the question. */
  readonly counts: boolean;
  /** First METAR of its nominal hour. */
  readonly isFirst: boolean;
  /** The cells of groups that are not of the calendar. */
  readonly others: readonly string[];
};

/** What is known of the 24 hours of a report besides: the extremes of six hours that touch them, and the hours of no such one. */
type Rest = { readonly sixes: readonly number[]; readonly hours: readonly number[] };

/** Extremes of six and of 24 hours belong to the days in which all these hours lie, those of 24 hours if the rest bears them out (D60). */
export class ExtremesOfStation {
  readonly #place: Place;
  readonly #onlyFirst: boolean;
  readonly #reports: readonly ExtremeReport[];
  readonly #ofDays: readonly { readonly report: ExtremeReport; readonly of: 0 | 1; readonly rest: Rest }[];

  /** @param reports in the order of their times */
  constructor(place: Place, reports: readonly ExtremeReport[], onlyFirst: boolean) {
    this.#place = place;
    this.#onlyFirst = onlyFirst;
    const known = reports.filter(({ six, day }) => [...six, ...day].some((value) => value !== undefined));
    this.#reports = known;
    this.#ofDays = known.flatMap((report, at) =>
      MAX_MIN.flatMap((of) =>
        report.day[of] === undefined || !this.#counts(report, 24)
          ? []
          : [{ report, of, rest: restOf(report, of, touchingOf(known, at)) }],
      ),
    );
  }

  /** Hours whose reports are needed: most extremes are borne out by those of six hours. */
  get hours(): readonly number[] {
    return this.#ofDays.flatMap(({ report, of, rest }) =>
      isBorneOut(report, of, rest.sixes) ? [] : rest.hours,
    );
  }

  /** @param temperaturesOf those of reports of an hour, which ends at the whole hour */
  add(groupAt: (group: string) => GroupPeriods, temperaturesOf: (hour: number) => readonly number[]): void {
    const add = ({ time, others }: ExtremeReport, { 0: max, 1: min }: Extremes) => {
      if (max === undefined && min === undefined) return;
      const group = groupAt(this.#place.groupAt(time, others));
      group.highest = extremeOf(Math.max, group.highest, max);
      group.lowest = extremeOf(Math.min, group.lowest, min);
    };
    for (const report of this.#reports) if (this.#counts(report, 6)) add(report, report.six);
    for (const { report, of, rest } of this.#ofDays)
      if (isBorneOut(report, of, [...rest.sixes, ...rest.hours.flatMap(temperaturesOf)]))
        add(report, of === 0 ? [report.day[0], undefined] : [undefined, report.day[1]]);
  }

  /** Whether a report counts and its hours lie in its day. */
  #counts({ time, counts, isFirst }: ExtremeReport, hours: 6 | 24): boolean {
    const { isInRange, dayAt } = this.#place;
    const isCounted = counts && (isFirst || !this.#onlyFirst) && isInRange(time);
    return isCounted && dayAt((endOf(time) - hours) * HOUR) === dayAt(time);
  }
}

/** The reports whose six hours touch the 24 hours of one of them. */
function touchingOf(reports: readonly ExtremeReport[], at: number): readonly ExtremeReport[] {
  const hourOf = (n: number) => endOf(reports[n]?.time ?? Number.NaN);
  let [first, last] = [at, at];
  while (hourOf(first - 1) >= hourOf(at) - 23) first -= 1;
  while (hourOf(last + 1) <= hourOf(at) + 5) last += 1;
  return reports.slice(first, last + 1);
}

function restOf({ time }: ExtremeReport, of: 0 | 1, touching: readonly ExtremeReport[]): Rest {
  const end = endOf(time);
  const sixes = touching.filter(({ six }) => six[of] !== undefined);
  const ends = sixes.map(({ time }) => endOf(time));
  const hours = Array.from({ length: 24 }, (_, n) => end - 23 + n);
  return {
    sixes: sixes.map(({ six }) => six[of] as number),
    hours: hours.filter((hour) => !ends.some((last) => hour > last - 6 && hour <= last)),
  };
}

function isBorneOut({ day }: ExtremeReport, of: 0 | 1, known: readonly number[]): boolean {
  return known.some((value) => isNear(of, day[of] as number, value));
}

const MAX_MIN = [0, 1] as const;

/** The whole hour at which the hours of a report end, counted from 1970-01-01T00:00:00Z. */
function endOf(time: number): number {
  return Math.floor((time + HOUR / 2) / HOUR);
}

/** In tenths, as reports give them. */
function isNear(of: 0 | 1, value: number, bound: number): boolean {
  return Math.round((of === 0 ? value - bound : bound - value) * 10) <= TOLERANCE * 10;
}

/** A report with a peak wind in knots, and its time as `hhmm`. */
export type PeakReport = Pick<ExtremeReport, 'time' | 'counts' | 'isFirst' | 'others'> & {
  readonly peak: number | undefined;
  readonly peakTime: number | undefined;
};

/** Peak winds belong to their own minute, which is up to a day before that of the report (D61). */
export function addPeaks(
  reports: readonly PeakReport[],
  place: Place,
  onlyFirst: boolean,
  groupAt: (group: string) => GroupPeriods,
): void {
  for (const { time: reportedAt, counts, isFirst, peak, peakTime, others } of reports) {
    if (peak === undefined || peakTime === undefined || !counts || (onlyFirst && !isFirst)) continue;
    const minutes = Math.floor(peakTime / 100) * 60 + (peakTime % 100);
    const time = reportedAt - ((1440 + (Math.floor(reportedAt / 60) % 1440) - minutes) % 1440) * 60;
    if (!place.isInRange(time)) continue;
    const group = groupAt(place.groupAt(time, others));
    group.peak = Math.max(group.peak ?? 0, orderOfWind(peak, time));
  }
}
