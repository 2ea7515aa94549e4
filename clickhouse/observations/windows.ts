import type { CoverageStates, ReportSpan } from '../coverage/rules.ts';
import { SECONDS_PER_HOUR } from '../model/day.ts';
import type { ReportType } from '../model/report.ts';
import { calendarMonths, type TimeWindow } from '../model/time-window.ts';
import type { Selection } from './selection.ts';

/** How far a window reaches beyond its estimate, which counts hours with a report, by season and outage. */
const REACH = 1.2;
/** How many times more rows the next window should have when one held too few records. */
export const REACH_GROWTH = 16;
/** The rough share of a type among all reports; a wrong one costs one more statement. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

/** Whose rows a window has, and in which order they are read. */
export type WindowRequest = Pick<Selection, 'stations' | 'types' | 'isDescending'> & {
  /** They tell about how many rows a window of these stations has. */
  readonly states: CoverageStates;
};

/**
 * Estimates the first part of a window, in the order of the request, that holds this number of rows: never empty. Coverage
 * says how long it is, so no reader requests a whole range. A wrong estimate costs a statement, never a record.
 */
export function firstWindow(
  { states, stations, types, isDescending }: WindowRequest,
  within: TimeWindow,
  rows: number,
): TimeWindow {
  const spans = stations.map((station) => states.get(station)?.reports ?? []);
  const reach = REACH / types.reduce((sum, type) => sum + SHARE[type], 0);
  return firstPart(within, windowEnd(spans, within, rows * reach, isDescending), isDescending);
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

/** Where the first part of a window ends, in the order of a reader, that should hold so many reports of these stations together. */
export function windowEnd(
  stations: readonly (readonly ReportSpan[])[],
  window: TimeWindow,
  reports: number,
  isDescending = false,
): number {
  const last = isDescending ? window.from : window.to;
  if (reports === Number.POSITIVE_INFINITY) return last;
  let missing = reports;
  const months = calendarMonths(window);
  for (const { from, to } of isDescending ? [...months].reverse() : months) {
    const expected = stations.reduce((sum, spans) => sum + reportsOf(spans, { from, to }), 0);
    if (expected >= missing) {
      const seconds = Math.ceil(((missing / expected) * (to - from)) / 60) * 60;
      return isDescending ? Math.max(from, to - seconds) : Math.min(to, from + seconds);
    }
    missing -= expected;
  }
  return last;
}

/** Hours with a report, spread evenly between the first and the last of a year. Of several sources the one with the most counts. */
function reportsOf(spans: readonly ReportSpan[], { from, to }: TimeWindow): number {
  let most = 0;
  for (const { hours, first, last } of spans) {
    // The last report is the last of its hour.
    const end = last + SECONDS_PER_HOUR;
    const overlap = Math.min(to, end) - Math.max(from, first);
    if (overlap > 0) most = Math.max(most, (hours * overlap) / (end - first));
  }
  return most;
}
