import { clampToArchive, EARLY_SECONDS, NO_TIME, type TimeWindow } from '../model/time-window.ts';
import type { Clock } from './question.ts';

const HOUR = 3600;

/** Seconds since 1970-01-01T00:00:00Z. */
type SampledTimes = {
  /** Of the reports that count. */
  readonly window: TimeWindow;
  /** From where on reports are read: from the first that can be the first of its nominal hour. */
  readonly readFrom: number;
  /** The clock hours that lie in the range, whole or in part: the first of them, and their number. */
  readonly firstHour: number;
  readonly hours: number;
  /** How many of them begin in it. */
  readonly expected: number;
};

export function sampledTimes(range: TimeWindow): SampledTimes {
  const window = clampToArchive(range) ?? NO_TIME;
  const [first, end] = [Math.floor(window.from / HOUR), Math.ceil(window.to / HOUR)];
  return {
    window,
    readFrom: Math.floor((window.from + EARLY_SECONDS) / HOUR) * HOUR - EARLY_SECONDS,
    firstHour: first * HOUR,
    hours: window.from === window.to ? 0 : end - first,
    expected: end - Math.ceil(window.from / HOUR),
  };
}

export type LocalTime = {
  /**
   * A DateTime whose date and hour are local.
   *
   * @param time seconds since 1970-01-01T00:00:00Z
   * @param clock the number of the clock, from 0
   */
  sql(time: string, clock: string): string;
  /** The number of the clock of `station`. */
  readonly clockOfStation: string;
  readonly params: Readonly<Record<string, unknown>>;
};

const CLOCK = 2 ** 32;

/**
 * Local time by offsets that are parameters, so that the engine computes in UTC alone: for each zone that a statement names,
 * ClickHouse builds a table of 4.6 MB that it never frees. `roundDown` searches by halves: two million times with the 45
 * offsets of New York take 20 ms, and 110 ms with `arrayLastIndex`.
 */
export function localTime(clocks: readonly Clock[]): LocalTime {
  const clockOfStation = 'transform(station, {stations:Array(String)}, {clockOfStation:Array(UInt16)}, 0)';
  const ofStation = clocks.flatMap(({ stations }, n) => stations.map((station) => [station, n] as const));
  const starts = clocks.flatMap(({ offsets }, n) => offsets.map(({ from }) => n * CLOCK + from));
  const seconds = clocks.flatMap(({ offsets }) => offsets.map((offset) => offset.seconds));
  const stations = ofStation.map(([station]) => station);
  if (seconds.length === 1)
    return {
      sql: (time) => `toDateTime(toUInt32(${time} + {offset:Int32}), 'UTC')`,
      clockOfStation: '0',
      params: { stations, offset: seconds[0] },
    };
  const params = { stations, starts, offsets: seconds };
  const offsetSql = (key: string) =>
    `transform(roundDown(toUInt64(${key}), {starts:Array(UInt64)}), {starts:Array(UInt64)}, {offsets:Array(Int32)}, toInt32(0))`;
  if (clocks.length === 1)
    return {
      sql: (time) => `toDateTime(toUInt32(${time} + ${offsetSql(time)}), 'UTC')`,
      clockOfStation: '0',
      params,
    };
  return {
    sql: (time, clock) =>
      `toDateTime(toUInt32(${time} + ${offsetSql(`${clock} * ${CLOCK} + ${time}`)}), 'UTC')`,
    clockOfStation,
    params: { ...params, clockOfStation: ofStation.map(([, clock]) => clock) },
  };
}

/** The number of the day of a local time. */
export function dayOf(time: string): string {
  return `intDiv(toUInt32(${time}), 86400)`;
}
