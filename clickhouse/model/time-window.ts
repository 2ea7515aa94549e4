import { dayStart, FIRST_DAY } from './day.ts';

/** The times that the archive can hold; DateTime of ClickHouse ends early in 2106. */
const EARLIEST = dayStart(FIRST_DAY) * 1000;
const LATEST = Date.UTC(2106, 0, 1);

/** Whole seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
export type TimeWindow = { readonly from: number; readonly to: number };

/** No time: a statement over it prints what a format has without rows. */
export const NO_TIME: TimeWindow = { from: EARLIEST / 1000, to: EARLIEST / 1000 };

/** Stations, and a range `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export type StationRange = {
  readonly stations: readonly string[];
  readonly from: number;
  readonly to: number;
};

/**
 * The part of a range of milliseconds in which the archive can hold anything, in the whole seconds of the table;
 * `undefined` when there is none. Rounding up keeps both bounds exact, because reports have whole minutes.
 */
export function clampToArchive({
  from,
  to,
}: {
  readonly from: number;
  readonly to: number;
}): TimeWindow | undefined {
  const seconds = {
    from: Math.ceil(Math.max(from, EARLIEST) / 1000),
    to: Math.ceil(Math.min(to, LATEST) / 1000),
  };
  return seconds.from < seconds.to ? seconds : undefined;
}
