import { type DayRange, dayStart, FIRST_DAY, SECONDS_PER_HOUR, yearOf } from './day.ts';

/** Whole seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
export type TimeWindow = { readonly from: number; readonly to: number };

/** The times that the archive can hold; ClickHouse's DateTime ends early in 2106. */
export const ARCHIVE_TIMES: TimeWindow = { from: dayStart(FIRST_DAY), to: Date.UTC(2106, 0, 1) / 1000 };

/** An empty window: a statement over it prints what a format has without rows. */
export const NO_TIME: TimeWindow = { from: ARCHIVE_TIMES.from, to: ARCHIVE_TIMES.from };

export function isWithin(time: number, { from, to }: TimeWindow): boolean {
  return time >= from && time < to;
}

export function yearWindow(year: number): TimeWindow {
  return { from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
}

export function toCalendarYears({ from, to }: TimeWindow): TimeWindow {
  return { from: yearWindow(yearOf(from)).from, to: yearWindow(yearOf(to - 1)).to };
}

export function calendarYears({ from, to }: TimeWindow): readonly number[] {
  const first = new Date(from * 1000).getUTCFullYear();
  return Array.from({ length: new Date((to - 1) * 1000).getUTCFullYear() - first + 1 }, (_, n) => first + n);
}

export function* calendarMonths({ from, to }: TimeWindow): Generator<TimeWindow, undefined> {
  for (let start = from; start < to; ) {
    const date = new Date(start * 1000);
    const end = Math.min(to, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000);
    yield { from: start, to: end };
    start = end;
  }
}

export function clipToYear(window: TimeWindow, year: number): TimeWindow {
  const { from, to } = yearWindow(year);
  return { from: Math.max(window.from, from), to: Math.min(window.to, to) };
}

export function windowOfDays({ firstDay, endDay }: DayRange): TimeWindow {
  return { from: dayStart(firstDay), to: dayStart(endDay) };
}

/** Days of these stations, or of all if none is named. */
export type Scope = DayRange & { readonly stations: readonly string[] };

export type StationRange = TimeWindow & { readonly stations: readonly string[] };

/** The part of a range in which the archive can hold anything; `undefined` when there is none. */
export function clampToArchive(range: TimeWindow): TimeWindow | undefined {
  const [from, to] = [Math.max(range.from, ARCHIVE_TIMES.from), Math.min(range.to, ARCHIVE_TIMES.to)];
  return from < to ? { from, to } : undefined;
}

/** A report from this long before an hour counts as that hour's: routine reports come some minutes early. */
export const EARLY_SECONDS = 600;

/** The number of the nominal hour of a time, counted from 1970-01-01T00:00:00Z. */
export function nominalHour(time: number): number {
  return Math.floor((time + EARLY_SECONDS) / SECONDS_PER_HOUR);
}

/** Extends a window to the nominal hours that it touches: to ten minutes before an hour. */
export function toNominalHours({ from, to }: TimeWindow): TimeWindow {
  return {
    from: nominalHour(from) * SECONDS_PER_HOUR - EARLY_SECONDS,
    to: nominalHour(to + SECONDS_PER_HOUR - 1) * SECONDS_PER_HOUR - EARLY_SECONDS,
  };
}

/** `nominalHour` in SQL, over a row of `observations`. A report at 11:51 belongs to 12:00. */
export const NOMINAL_HOUR = `intDiv(toUInt32(observedAt) + ${EARLY_SECONDS}, ${SECONDS_PER_HOUR})`;
