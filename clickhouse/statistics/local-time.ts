import { clampToArchive, NO_TIME, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { type Clock, timesOf } from '../zones/clocks.ts';
import { offsetSql } from '../zones/local-texts.ts';

/** The times of the reports of a clock that count. */
export function windowOf(clock: Clock, range: TimeWindow): TimeWindow {
  return clampToArchive(clock.range ?? range) ?? NO_TIME;
}

/**
 * Local time in SQL over a report.
 *
 * @param asked the range of the question
 */
export function localTime(clocks: readonly Clock[], asked: StationRange) {
  const { clockOf, offsetAt, params } = offsetSql(clocks, 'clock');
  const windows = clocks.map((each) => windowOf(each, asked));
  const hasRanges = clocks.length > 1 && clocks.some((each) => each.range !== undefined);
  const bound = (name: string) => `{${name}:Array(UInt32)}[${clockOf('station')} + 1]`;
  return {
    /** In which all reports that count lie. */
    window: clampToArchive(timesOf(asked, clocks)) ?? NO_TIME,
    /**
     * A DateTime whose date and hour are local.
     *
     * @param time SQL: seconds since 1970-01-01T00:00:00Z
     */
    sql: (time: string) => `toDateTime(toUInt32(${time} + ${offsetAt(time, 'station')}), 'UTC')`,
    /** SQL: whether it is in the range of its station, where stations have other ranges than `window`. */
    isInRange: hasRanges
      ? [`toUInt32(observedAt) >= ${bound('begins')} AND toUInt32(observedAt) < ${bound('ends')}`]
      : [],
    params: {
      ...params,
      ...(hasRanges && { begins: windows.map(({ from }) => from), ends: windows.map(({ to }) => to) }),
    },
  };
}
