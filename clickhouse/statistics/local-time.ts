import { clampToArchive, NO_TIME, type TimeWindow } from '../model/time-window.ts';
import type { Clock } from '../zones/clocks.ts';

/** The times of the reports of a clock that count. */
export function windowOf(clock: Clock, range: TimeWindow): TimeWindow {
  return clampToArchive(clock.range ?? range) ?? NO_TIME;
}

export function windowOfAll(clocks: readonly Clock[], range: TimeWindow): TimeWindow {
  const windows = clocks.map((clock) => windowOf(clock, range)).filter(({ from, to }) => from < to);
  if (windows.length === 0) return NO_TIME;
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  };
}

const CLOCK = 2 ** 32;

/** SQL over a report: the local time of a time, a DateTime whose date and hour are local. */
export type LocalTime = {
  /** @param time SQL: seconds since 1970-01-01T00:00:00Z */
  readonly sql: (time: string) => string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SQL: whether it is in the range of its station, where stations have other ranges than that of `windowOfAll`. */
  readonly isInRange?: string;
};

/**
 * Local time by offsets that are parameters, so that the engine computes in UTC alone: for each zone that a statement names,
 * ClickHouse builds a table of 4.6 MB that it never frees. `roundDown` searches by halves: two million times with the 45
 * offsets of New York take 20 ms, and 110 ms with `arrayLastIndex`.
 *
 * @param clocks one, or several whose stations have the numbers `clockOfStation` of the statement's list
 * @param asked the range of the question
 */
export function localTime(
  clocks: readonly Clock[],
  stations: readonly string[],
  asked: TimeWindow,
): LocalTime {
  const [first, ...others] = clocks;
  const offsets = clocks.flatMap((clock) => clock.offsets.map(({ seconds }) => seconds));
  // As a list: next to the number 0 of a parameter with a sign, every 0 of the statement would have a sign.
  if (others.length === 0 && first?.offsets.length === 1)
    return {
      sql: (time) => `toDateTime(toUInt32(${time} + {offsets:Array(Int32)}[1]), 'UTC')`,
      params: { offsets },
    };
  const starts = clocks.flatMap((clock, n) => clock.offsets.map(({ from }) => n * CLOCK + from));
  const numbers = new Map(clocks.flatMap((clock, n) => clock.stations.map((station) => [station, n])));
  const clock = 'transform(station, {stations:Array(String)}, {clockOfStation:Array(UInt16)}, 0)';
  const hasRanges = others.length > 0 && clocks.some((each) => each.range !== undefined);
  const windows = clocks.map((each) => windowOf(each, asked));
  return {
    sql: (time) => {
      const key = others.length === 0 ? time : `${clock} * ${CLOCK} + ${time}`;
      const start = `roundDown(toUInt64(${key}), {starts:Array(UInt64)})`;
      const offset = `transform(${start}, {starts:Array(UInt64)}, {offsets:Array(Int32)}, toInt32(0))`;
      return `toDateTime(toUInt32(${time} + ${offset}), 'UTC')`;
    },
    params: {
      starts,
      offsets,
      ...(others.length > 0 && { clockOfStation: stations.map((station) => numbers.get(station)) }),
      ...(hasRanges && { begins: windows.map(({ from }) => from), ends: windows.map(({ to }) => to) }),
    },
    ...(hasRanges && {
      isInRange: `toUInt32(observedAt) >= {begins:Array(UInt32)}[${clock} + 1] AND toUInt32(observedAt) < {ends:Array(UInt32)}[${clock} + 1]`,
    }),
  };
}
