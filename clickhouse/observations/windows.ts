import type { CoverageStates, ReportSpan } from '../coverage/rules.ts';
import { SECONDS_PER_HOUR, yearOf } from '../model/day.ts';
import type { ReportType } from '../model/report.ts';
import { isWithin, NO_TIME, type TimeWindow, yearWindow } from '../model/time-window.ts';
import type { Selection } from './selection.ts';

/** A twelfth of a leap year. */
const TWELFTH_SECONDS = 732 * SECONDS_PER_HOUR;
/** How far the first window reaches beyond its estimate, which counts hours with a report, by season and outage. */
const FIRST_REACH = 1.2;
/** How much further each next window reaches when one held too few records. */
const REACH_GROWTH = 16;
/** The rough share of a type among all reports; a wrong one costs one more statement. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

/**
 * The windows in which one reader looks for records, one after another. The window length for a page is estimated from
 * coverage, so no reader requests a whole range. A wrong estimate costs a statement, never a record.
 */
export class Windows {
  readonly #spans: readonly (readonly ReportSpan[])[];
  readonly #isDescending: boolean;
  #reach: number;

  constructor(
    states: CoverageStates,
    { stations, types, isDescending = false }: Pick<Selection, 'stations' | 'types' | 'isDescending'>,
  ) {
    this.#spans = stations.map((station) => states.get(station)?.reports ?? []);
    this.#isDescending = isDescending;
    this.#reach = FIRST_REACH / types.reduce((sum, type) => sum + SHARE[type], 0);
  }

  /** Estimates the first part of a window, in the order of the reader, that holds this number of rows: never empty. */
  first(within: TimeWindow, rows: number): TimeWindow {
    const end = windowEnd(this.#spans, within, rows * this.#reach, this.#isDescending);
    return firstPart(within, end, this.#isDescending);
  }

  /** The last window held too few records, so the next ones reach further. */
  widen(): void {
    this.#reach *= REACH_GROWTH;
  }
}

/** The part of a window before a time that lies in it, in the order of a reader; empty at its beginning. */
export function firstPart({ from, to }: TimeWindow, time: number, isDescending = false): TimeWindow {
  return isDescending ? { from: time, to } : { from, to: time };
}

export function restAfter({ from, to }: TimeWindow, first: TimeWindow, isDescending = false): TimeWindow {
  return isDescending ? { from, to: first.from } : { from: first.to, to };
}

export function isAllOf(window: TimeWindow, first: TimeWindow): boolean {
  return first.from === window.from && first.to === window.to;
}

/**
 * Where the first part of a window ends, in the order of the reader, that should hold `reports` reports of these stations
 * together.
 */
export function windowEnd(
  stations: readonly (readonly ReportSpan[])[],
  { from, to }: TimeWindow,
  reports: number,
  isDescending = false,
): number {
  const [begin, last] = isDescending ? [to, from] : [from, to];
  let missing = reports;
  let year = NO_TIME;
  let byTwelfth: readonly number[] = [];
  for (let at = begin; at !== last; ) {
    if (missing <= 0) return at;
    const time = isDescending ? at - 1 : at;
    if (!isWithin(time, year)) {
      year = yearWindow(yearOf(time));
      byTwelfth = reportsByTwelfth(stations, year);
    }
    const twelfth = Math.floor((time - year.from) / TWELFTH_SECONDS);
    const perSecond = (byTwelfth[twelfth] ?? 0) / TWELFTH_SECONDS;
    const start = year.from + twelfth * TWELFTH_SECONDS;
    const edge = isDescending ? Math.max(start, from) : Math.min(start + TWELFTH_SECONDS, year.to, to);
    const seconds = Math.ceil(missing / perSecond / 60) * 60;
    if (seconds <= Math.abs(edge - at)) return isDescending ? at - seconds : at + seconds;
    missing -= perSecond * Math.abs(edge - at);
    at = edge;
  }
  return last;
}

/**
 * How many hours of each twelfth of a year have a report, summed up over stations: the hours of the year, spread evenly
 * between the first and the last report. Where sources overlap, the one with the most hours counts.
 */
function reportsByTwelfth(stations: readonly (readonly ReportSpan[])[], year: TimeWindow): readonly number[] {
  const sums = new Array<number>(12).fill(0);
  for (const spans of stations) {
    let [hours, first, last] = [0, year.to, year.from];
    for (const span of spans) {
      if (span.first < year.from || span.first >= year.to) continue;
      hours = Math.max(hours, span.hours);
      first = Math.min(first, span.first);
      last = Math.max(last, span.last);
    }
    if (hours === 0) continue;
    // The last report is the last of its hour.
    const [begin, end] = [first, last + SECONDS_PER_HOUR];
    for (let twelfth = 0; twelfth < 12; twelfth += 1) {
      const start = year.from + twelfth * TWELFTH_SECONDS;
      const overlap = Math.min(end, start + TWELFTH_SECONDS) - Math.max(begin, start);
      if (overlap > 0) sums[twelfth] = (sums[twelfth] ?? 0) + (hours * overlap) / (end - begin);
    }
  }
  return sums;
}
