import type { ReportSpan } from '../coverage/rules.ts';
import type { CoverageStates } from '../coverage/state.ts';
import { yearOf } from '../model/day.ts';
import type { ReportType } from '../model/report.ts';
import { type TimeWindow, yearWindow } from '../model/time-window.ts';
import type { Selection } from './selection.ts';

/** A twelfth of a leap year. */
const TWELFTH_SECONDS = 732 * 3600;
/** How far the first window reaches beyond its estimate, which counts hours with a report, by season and outage. */
const FIRST_REACH = 1.2;
/** How much further each next window reaches when one held too few records. */
const WIDEN = 16;
/** The rough share of a type among all reports; a wrong one costs one more statement. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

/**
 * The windows in which one reader looks for records, one after another. The window length for a page is estimated from
 * coverage, so no reader requests a whole range. A wrong estimate costs a statement, never a record.
 */
export class Windows {
  readonly #spans: readonly (readonly ReportSpan[])[];
  #reach: number;

  constructor(states: CoverageStates, { stations, types }: Pick<Selection, 'stations' | 'types'>) {
    this.#spans = stations.map((station) => states.get(station)?.reports ?? []);
    this.#reach = FIRST_REACH / types.reduce((sum, type) => sum + SHARE[type], 0);
  }

  /**
   * Estimates where a window ends that begins at `within.from` and holds this number of rows: seconds since
   * 1970-01-01T00:00:00Z, later than `within.from` and at most `within.to`.
   */
  end(within: TimeWindow, rows: number): number {
    return windowEnd(this.#spans, within, rows * this.#reach);
  }

  /** The last window held too few records, so the next ones reach further. */
  widen(): void {
    this.#reach *= WIDEN;
  }
}

/** The end of the window from `from` on that should hold `reports` reports of these stations together. */
export function windowEnd(
  stations: readonly (readonly ReportSpan[])[],
  { from, to }: TimeWindow,
  reports: number,
): number {
  let missing = reports;
  let year: { readonly from: number; readonly reports: readonly number[] } | undefined;
  for (let at = from; at < to; ) {
    if (missing <= 0) return at;
    const { window, twelfth, end } = twelfthOf(at);
    if (year?.from !== window.from) year = { from: window.from, reports: reportsByTwelfth(stations, window) };
    const perSecond = (year.reports[twelfth] ?? 0) / TWELFTH_SECONDS;
    const enough = at + Math.ceil(missing / perSecond / 60) * 60;
    if (enough <= Math.min(end, to)) return enough;
    missing -= perSecond * (end - at);
    at = end;
  }
  return to;
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
    const [begin, end] = [first, last + 3600];
    for (let twelfth = 0; twelfth < 12; twelfth += 1) {
      const start = year.from + twelfth * TWELFTH_SECONDS;
      const overlap = Math.min(end, start + TWELFTH_SECONDS) - Math.max(begin, start);
      if (overlap > 0) sums[twelfth] = (sums[twelfth] ?? 0) + (hours * overlap) / (end - begin);
    }
  }
  return sums;
}

/** The year that contains a time, the twelfth of the year, and the end of that; seconds since 1970-01-01T00:00:00Z. */
function twelfthOf(at: number) {
  const window = yearWindow(yearOf(at));
  const twelfth = Math.floor((at - window.from) / TWELFTH_SECONDS);
  return { window, twelfth, end: Math.min(window.from + (twelfth + 1) * TWELFTH_SECONDS, window.to) };
}
