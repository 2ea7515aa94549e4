import { type DayRun, SECONDS_PER_DAY } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { type Offset, timeOf } from '../zones/zone-offsets.ts';
import { countBefore, type Reports } from './reports.ts';

/** Reports up to this long before and after a month affect its days: an amount, extreme or peak wind a day, a pause longer. */
const SECONDS_BEYOND_MONTH = 2 * SECONDS_PER_DAY;

/**
 * The days of a calendar month in the time of a station. Days are computed month by month, always from the same reports:
 * those of the month and of `SECONDS_BEYOND_MONTH` before and after it. So a day that is computed again is the same.
 */
export type LocalMonth = ReturnType<typeof localMonth>;

/** @param month calendar months since January of 1 BC: January 2024 is 2024 · 12 */
export function localMonth(month: number, offsets: readonly Offset[]) {
  const firstDay = firstDayOf(month);
  const length = firstDayOf(month + 1) - firstDay;
  /** When each of its days begins, and the last one ends. Seconds since 1970-01-01T00:00:00Z, as all times here. */
  const midnights = Array.from({ length: length + 1 }, (_, n) =>
    timeOf((firstDay + n) * SECONDS_PER_DAY, offsets),
  );
  return { firstDay, midnights };
}

export type MonthReports = ReturnType<typeof monthReports>;

export function monthReports(reports: Reports, month: LocalMonth) {
  /** The day of a time: 0 is the first of the month; -1 is before the month, and the number of its days is after it. */
  const dayOf = (time: number) => countBefore(month.midnights, time + 1) - 1;
  const firstRows = month.midnights.map((midnight) => countBefore(reports.time, midnight));
  /** The rows of the reports of each day, `[begin, end)`, and those of the hourly sample among them. */
  const days = firstRows.slice(1).map((end, day) => {
    const begin = firstRows[day] as number;
    const sample: number[] = [];
    for (let row = begin; row < end; row += 1) if (reports.isFirst[row] === 1) sample.push(row);
    return { begin, end, sample };
  });
  return { reports, month, days, dayOf };
}

/** A column of the days of a month, without values. */
export function absent({ days }: Pick<MonthReports, 'days'>): Float64Array {
  return new Float64Array(days.length).fill(Number.NaN);
}

/** A day, counted from 1970-01-01. */
export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / 1000 / SECONDS_PER_DAY;
}

export function monthOfDay(day: number): number {
  const date = new Date(day * SECONDS_PER_DAY * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function monthsOfDays({ first, end }: DayRun): DayRun {
  const month = monthOfDay(first);
  return { first: month, end: first < end ? monthOfDay(end - 1) + 1 : month };
}

/** The reports that decide about the days of a month. */
export function timesOfMonth(month: number, offsets: readonly Offset[]): TimeWindow {
  const begin = (each: number) => timeOf(firstDayOf(each) * SECONDS_PER_DAY, offsets);
  return { from: begin(month) - SECONDS_BEYOND_MONTH, to: begin(month + 1) + SECONDS_BEYOND_MONTH };
}
