import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import type { Offset } from '../../clickhouse/statistics/question.ts';

const DAY = 86_400;

/**
 * The time in which local days lie (D63). Seconds since 1970-01-01T00:00:00Z; the days are those of UTC with the same dates.
 *
 * @param offsets of the zone, a day before and after the range too
 */
export function rangeOfDays({ from, to }: TimeWindow, offsets: readonly Offset[]): TimeWindow {
  return { from: timeOf(from, offsets), to: timeOf(to, offsets) };
}

/**
 * The time of a local time: the last one, where clocks are put back over it, and that of the change, where they are put
 * forward over it. So a day lasts from its midnight to the next, and one that a zone leaves out (Samoa's 30 December 2011) has
 * no time.
 */
function timeOf(local: number, offsets: readonly Offset[]): number {
  const at = Math.max(
    0,
    offsets.findLastIndex(({ from, seconds }) => from + seconds < local),
  );
  return Math.min(local - (offsets[at]?.seconds ?? 0), offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY);
}

/**
 * A range without its first and last day where it has less than half of their hours: of a month in UTC a table of the days of
 * New York would begin with the last five hours of the day before. A range within one day stays.
 */
export function withoutShortDays(range: TimeWindow, offsets: readonly Offset[]): TimeWindow {
  const [first, last] = [dayAt(range.from, offsets), dayAt(range.to - 1, offsets)];
  if (first.from === last.from) return range;
  const days = {
    from: isShort({ ...first, from: range.from }, first) ? first.to : range.from,
    to: isShort({ ...last, to: range.to }, last) ? last.from : range.to,
  };
  return days.from < days.to ? days : range;
}

function isShort(part: TimeWindow, day: TimeWindow): boolean {
  return (part.to - part.from) * 2 < day.to - day.from;
}

/** The local day of a time. */
function dayAt(time: number, offsets: readonly Offset[]): TimeWindow {
  const seconds = offsets.findLast(({ from }) => from <= time)?.seconds ?? 0;
  const midnight = Math.floor((time + seconds) / DAY) * DAY;
  return rangeOfDays({ from: midnight, to: midnight + DAY }, offsets);
}
