import { type Day, dayOf, dayStart } from './day.ts';
import type { DayRange } from './day-ranges.ts';

/** Days counted from 1970-01-01, `[first, end)`. */
export type DayRun = { readonly first: number; readonly end: number };

/** A set of UTC days as nonempty runs, in ascending order, at least one day apart. */
export type DaySet = readonly DayRun[];

export const NO_DAYS: DaySet = [];

const SECONDS_PER_DAY = 86_400;

/** @param epochSeconds seconds since 1970-01-01T00:00:00Z */
export function dayNumber(epochSeconds: number): number {
  return Math.floor(epochSeconds / SECONDS_PER_DAY);
}

export function numberOfDay(day: Day): number {
  return dayNumber(dayStart(day));
}

/** The days `[first, end)`; may be empty. */
export function dayRun(first: number, end: number): DaySet {
  return first < end ? [{ first, end }] : NO_DAYS;
}

export function daySetOf({ firstDay, endDay }: DayRange): DaySet {
  return dayRun(numberOfDay(firstDay), numberOfDay(endDay));
}

export function yearDays(year: number): DaySet {
  return dayRun(dayNumber(Date.UTC(year, 0) / 1000), dayNumber(Date.UTC(year + 1, 0) / 1000));
}

export function dayRangesOf(days: DaySet): readonly DayRange[] {
  return days.map(({ first, end }) => ({
    firstDay: dayOf(first * SECONDS_PER_DAY),
    endDay: dayOf(end * SECONDS_PER_DAY),
  }));
}

/** Each day of a set, in order, counted from 1970-01-01. */
export function* dayNumbersOf(days: DaySet): Generator<number> {
  for (const { first, end } of days) for (let day = first; day < end; day += 1) yield day;
}

export function countDays(days: DaySet): number {
  return days.reduce((sum, { first, end }) => sum + end - first, 0);
}

/** @param runs in any order, overlapping or not; empty runs are left out */
export function unionOf(runs: readonly DayRun[]): DaySet {
  const joined: { first: number; end: number }[] = [];
  for (const { first, end } of runs.toSorted((a, b) => a.first - b.first)) {
    if (first >= end) continue;
    const last = joined.at(-1);
    if (last === undefined || last.end < first) joined.push({ first, end });
    else last.end = Math.max(last.end, end);
  }
  return joined;
}

/** The union of both sets. */
export function intersect(a: DaySet, b: DaySet): DaySet {
  const common: DayRun[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as DayRun, b[j] as DayRun];
    const [first, end] = [Math.max(one.first, other.first), Math.min(one.end, other.end)];
    if (first < end) common.push({ first, end });
    if (one.end < other.end) i += 1;
    else j += 1;
  }
  return common;
}

/** The days of `a` that are not in `b`. */
export function subtract(a: DaySet, b: DaySet): DaySet {
  const left: DayRun[] = [];
  let next = 0;
  for (const { first, end } of a) {
    let from = first;
    while (next < b.length && (b[next] as DayRun).end <= from) next += 1;
    for (let at = next; at < b.length && (b[at] as DayRun).first < end; at += 1) {
      const { first: hole, end: holeEnd } = b[at] as DayRun;
      if (from < hole) left.push({ first: from, end: hole });
      from = Math.max(from, holeEnd);
    }
    if (from < end) left.push({ first: from, end });
  }
  return left;
}
