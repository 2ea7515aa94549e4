import type { CoverageStates, ReportSpan } from '../coverage/rules.ts';
import { SECONDS_PER_HOUR } from '../model/day.ts';
import type { ReportType } from '../model/report.ts';
import { calendarMonths, calendarYears, clipToYear, type TimeWindow } from '../model/time-window.ts';
import type { Selection } from './selection.ts';

/** How far a window reaches beyond its estimate, which counts hours with a report, by season and outage. */
const REACH = 1.2;
/** How many times more rows the next window should have when one held too few records. */
export const REACH_GROWTH = 16;
/** The rough share of a type among all reports; a wrong one costs one more statement. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

/** The stations whose rows a window has, and in which order they are read. */
export type WindowRequest = Pick<Selection, 'stations' | 'types' | 'isDescending'> & {
  /** Used to estimate how many rows a window of these stations has. */
  readonly states: CoverageStates;
};

/**
 * Estimates from coverage the first part of a window, in the order of the request, that holds this number of rows. It is never
 * empty. So no statement reads a whole range at once. A wrong estimate costs another statement, never a record.
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

/** The part of a window that precedes a time in it, in the order of reading. */
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
 * The end of the first part of a window, in the order of reading, that should hold this many reports of all these stations. It
 * steps through years, then through months of one year, because months of 50 stations over 21 years would take 3 ms.
 */
export function windowEnd(
  stations: readonly (readonly ReportSpan[])[],
  window: TimeWindow,
  reports: number,
  isDescending = false,
): number {
  const last = isDescending ? window.from : window.to;
  if (reports === Number.POSITIVE_INFINITY) return last;
  const inOrder = (windows: Iterable<TimeWindow>) => (isDescending ? [...windows].reverse() : windows);
  let missing = reports;
  for (const year of inOrder(calendarYears(window).map((each) => clipToYear(window, each)))) {
    const ofYear = stations.map((spans) => spans.filter((span) => overlapOf(span, year) > 0));
    const inYear = reportsOfAll(ofYear, year);
    if (inYear < missing) {
      missing -= inYear;
      continue;
    }
    for (const { from, to } of inOrder(calendarMonths(year))) {
      const expected = reportsOfAll(ofYear, { from, to });
      if (expected >= missing) {
        const seconds = Math.ceil(((missing / expected) * (to - from)) / 60) * 60;
        return isDescending ? Math.max(from, to - seconds) : Math.min(to, from + seconds);
      }
      missing -= expected;
    }
  }
  return last;
}

function reportsOfAll(stations: readonly (readonly ReportSpan[])[], window: TimeWindow): number {
  return stations.reduce((sum, spans) => sum + estimateReports(spans, window), 0);
}

/** Hours with a report, spread evenly between the first and last report of a year; of the source that has most in the window. */
function estimateReports(spans: readonly ReportSpan[], window: TimeWindow): number {
  let most = 0;
  for (const span of spans) {
    const overlap = overlapOf(span, window);
    if (overlap > 0) most = Math.max(most, (span.hours * overlap) / (endOf(span) - span.first));
  }
  return most;
}

function overlapOf(span: ReportSpan, { from, to }: TimeWindow): number {
  return Math.min(to, endOf(span)) - Math.max(from, span.first);
}

/** The span ends an hour after its last report, so that this hour counts. */
function endOf({ last }: ReportSpan): number {
  return last + SECONDS_PER_HOUR;
}
