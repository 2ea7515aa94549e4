import { SECONDS_PER_DAY } from '../model/day.ts';
import { clampToArchive, NO_TIME, nominalHour, type TimeWindow } from '../model/time-window.ts';
import type { Clock } from '../zones/clocks.ts';
import { secondsAt } from '../zones/zone-offsets.ts';
import { type Calendar, monthOf } from './calendar.ts';
import { ABSENT, type Cell } from './column.ts';
import { isOfDays, isOfOneDay } from './groups.ts';
import type { Question } from './question.ts';

/** The times of the reports of a clock that count. */
export function windowOf(clock: Clock, range: TimeWindow): TimeWindow {
  return clampToArchive(clock.range ?? range) ?? NO_TIME;
}

/** The times of the reports of all clocks. */
export function sampledWindow(clocks: readonly Clock[], range: TimeWindow): TimeWindow {
  const windows = clocks.map((clock) => windowOf(clock, range)).filter(({ from, to }) => from < to);
  if (windows.length === 0) return NO_TIME;
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  };
}

const CLOCK = 2 ** 32;

/** SQL over a row of the sample: the local time of a time, a DateTime whose date and hour are local. */
export type LocalTime = {
  /** @param time SQL: seconds since 1970-01-01T00:00:00Z */
  readonly sql: (time: string) => string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SQL: the range of the station, in seconds since 1970-01-01T00:00:00Z. */
  readonly range: { readonly from: string; readonly to: string };
  /** SQL over a row: whether it is in the range of its station, where stations have other ranges than that of `sampledWindow`. */
  readonly isInRange?: string;
};

const OBSERVED = 'toUInt32(observedAt)';
const RANGE_OF_ALL = { from: "toUInt32({from:DateTime('UTC')})", to: "toUInt32({to:DateTime('UTC')})" };

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
      range: RANGE_OF_ALL,
    };
  const starts = clocks.flatMap((clock, n) => clock.offsets.map(({ from }) => n * CLOCK + from));
  const numbers = new Map(clocks.flatMap((clock, n) => clock.stations.map((station) => [station, n])));
  const clock = 'transform(station, {stations:Array(String)}, {clockOfStation:Array(UInt16)}, 0)';
  const hasRanges = others.length > 0 && clocks.some((each) => each.range !== undefined);
  const windows = clocks.map((each) => windowOf(each, asked));
  const range = hasRanges
    ? { from: `{begins:Array(UInt32)}[${clock} + 1]`, to: `{ends:Array(UInt32)}[${clock} + 1]` }
    : RANGE_OF_ALL;
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
      ...(hasRanges && {
        begins: windows.map(({ from }) => from),
        ends: windows.map(({ to }) => to),
      }),
    },
    range,
    ...(hasRanges && { isInRange: `${OBSERVED} >= ${range.from} AND ${OBSERVED} < ${range.to}` }),
  };
}

const HOUR = 3600;

/** What decides where a report counts. */
export type PlacedReport = {
  readonly time: number;
  /** It meets the condition of the question. */
  readonly counts: boolean;
  /** First METAR of its nominal hour. */
  readonly isFirst: boolean;
  /** The cells of groups that are not of the calendar. */
  readonly others: readonly string[];
};

/** The range of a station, its local time, and the groups of its reports. */
export type Place = ReturnType<typeof placeOf>;

export function placeOf(question: Question, clock: Clock, calendar: Calendar) {
  const { groups } = question;
  const { from, to } = windowOf(clock, question);
  const hasWholeDays = isOfDays(groups);
  const localAt = localTimesBy(clock);
  const numbersAt = (time: number) => calendar.numbersAt(localAt(time), localAt(nominalHour(time) * HOUR));
  const dayAt = (time: number) => Math.floor(localAt(time) / SECONDS_PER_DAY);
  const monthAt = onceADay(dayAt, (time) => monthOf(localAt(time)));
  const units = groups.map((group) => (group.kind === 'calendar' ? group.unit : undefined));
  const date = units.indexOf('date');
  /** Of which months a group is: its own month, or all that its units of the calendar name. */
  const monthsOf = (cells: readonly Cell[]): string =>
    date >= 0
      ? `${monthOf(Number(cells[date]) * SECONDS_PER_DAY)}`
      : cells.filter((_, at) => units[at] !== undefined && units[at] !== 'hour').join('\t');
  const cellsAt = (time: number, others: readonly Cell[] = []): readonly Cell[] => {
    const numbers = numbersAt(time).values();
    const rest = others.values();
    return groups.map(({ kind }) =>
      kind === 'calendar' ? String(numbers.next().value) : (rest.next().value ?? ABSENT),
    );
  };
  const groupOfDay = onceADay(dayAt, (time) => cellsAt(time).join('\t'));
  const monthsAt = onceADay(dayAt, (time) => monthsOf(cellsAt(time)));
  const cut = [from, to].filter((time) => monthAt(time - 1) === monthAt(time));
  return {
    from,
    to,
    isOfDays: hasWholeDays,
    isOfOneDay: isOfOneDay(groups),
    isInRange: (time: number) => time >= from && time < to,
    dayAt,
    monthAt,
    /** @param others the cells of groups that are not of the calendar */
    groupAt: (time: number, others?: readonly Cell[]) =>
      hasWholeDays ? groupOfDay(time) : cellsAt(time, others).join('\t'),
    monthsOf,
    /** The months of which the range has a part, where groups have whole days. */
    cutMonths: new Set(hasWholeDays ? cut.map(monthsAt) : []),
    /** Adds the months of the group that has a time, or has another part of its month. */
    addMonths: (months: Set<string>, time: number) => {
      const inside = Math.min(Math.max(time, from), to - 1);
      if (monthAt(inside) === monthAt(time)) months.add(monthsAt(inside));
    },
  };
}

/** The local time of a time. The offset of the time before it is nearly always its own. */
function localTimesBy({ offsets }: Clock): (time: number) => number {
  let [since, until, seconds] = [0, 0, 0];
  return (time) => {
    if (time < since || time >= until) {
      since = offsets.findLast(({ from }) => from <= time)?.from ?? 0;
      until = offsets.find(({ from }) => from > time)?.from ?? Number.POSITIVE_INFINITY;
      seconds = secondsAt(offsets, time);
    }
    return time + seconds;
  };
}

/** A value of a local day, computed once for each: a day has many reports. */
function onceADay<Value>(
  dayAt: (time: number) => number,
  valueAt: (time: number) => Value,
): (time: number) => Value {
  const known = new Map<number, Value>();
  return (time) => {
    const day = dayAt(time);
    const value = known.get(day);
    if (value !== undefined) return value;
    const computed = valueAt(time);
    known.set(day, computed);
    return computed;
  };
}
