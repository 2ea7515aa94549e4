import type { Archive } from '../archive.ts';
import { type DayRun, dayNumber, FIRST_DAY, numberOfDay, SECONDS_PER_DAY } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { readServerTime } from '../server-time.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';

/** Days of a range by their numbers, and the present in seconds since 1970-01-01T00:00:00Z: no later day has a record. */
export type DaysUntilNow = DayRun & { readonly now: number };

/** Whether every day before a midnight of UTC has long been over, by whatever clock and zone. */
export function areOver(to: number): boolean {
  return to + 3 * SECONDS_PER_DAY < Date.now() / 1000;
}

/**
 * The days of a range, from the first day of the archive to two days ahead. The engine's clock gives the present; for a range
 * that is long over, the clock of this process is exact enough.
 *
 * @param range midnights of UTC with the same dates
 */
export async function readDaysUntilNow(archive: Archive, { from, to }: TimeWindow): Promise<DaysUntilNow> {
  const now = Math.floor(areOver(to) ? Date.now() / 1000 : await readServerTime(archive));
  const first = Math.max(dayNumber(from), numberOfDay(FIRST_DAY));
  return { first, end: Math.max(first, Math.min(dayNumber(to), dayNumber(now) + 2)), now };
}

/** The days that local time has reached, the one of the present too. */
export function reachedDays({ first, end, now }: DaysUntilNow, offsets: readonly Offset[]): DayRun {
  return { first, end: Math.max(first, Math.min(end, dayNumber(now + secondsAt(offsets, now)) + 1)) };
}
