import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import type { ColumnType } from '../statements/print-rows.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import type { CalendarUnit } from './question.ts';

/** A group of reports: SQL over a report for the key that sorts it, and how the answer prints the key. */
export type GroupColumn = {
  /** Of the calendar over its time `local` and that of its nominal hour, `localHour`. */
  readonly sql: string;
  readonly print: (key: string) => string;
  readonly type: ColumnType;
  /** The middle of a sector in degrees. */
  readonly printDegrees?: (key: string) => string;
};

/** A group of the calendar, whose key is a number. */
type CalendarColumn = GroupColumn & { readonly numberType: 'UInt8' | 'UInt16' | 'UInt32' };

export const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'] as const;
const SEASON_NAME = (number: string) => `['${SEASONS.join("', '")}'][${number} + 1]`;

const UNITS: Readonly<Record<CalendarUnit, CalendarColumn>> = {
  year: { sql: 'toYear(local)', numberType: 'UInt16', print: (number) => number, type: 'Int32' },
  season: {
    sql: 'intDiv(toMonth(local) % 12, 3)',
    numberType: 'UInt8',
    print: SEASON_NAME,
    type: 'String',
  },
  month: { sql: 'toMonth(local)', numberType: 'UInt8', print: (number) => number, type: 'Int32' },
  date: {
    sql: 'intDiv(toUInt32(local), 86400)',
    numberType: 'UInt32',
    print: (number) => `toDate32(${number})`,
    type: 'Date32',
  },
  hour: { sql: 'toHour(localHour)', numberType: 'UInt8', print: (number) => number, type: 'Int32' },
};

/** The year of a season is that of its January: December belongs to the next one. */
const YEAR_OF_SEASON: CalendarColumn = { ...UNITS.year, sql: 'toYear(addMonths(local, 1))' };

/** @param units those of all groups */
export function calendarColumn(unit: CalendarUnit, units: readonly CalendarUnit[]): CalendarColumn {
  return unit === 'year' && units.includes('season') ? YEAR_OF_SEASON : UNITS[unit];
}

/** A group of units of the calendar, and how many clock hours of a range begin in it. */
export type CalendarGroup = { readonly numbers: readonly number[]; hours: number };

/**
 * The groups of a range, in no order. The hour in which the range begins has its group too. An hour belongs to where it begins,
 * and has the offset of that time.
 */
export function calendarGroups(
  units: readonly CalendarUnit[],
  { from, to }: TimeWindow,
  offsets: readonly Offset[],
): readonly CalendarGroup[] {
  const groups = new Map<string, CalendarGroup>();
  const hourAt = units.indexOf('hour');
  const add = (local: number, localHour: number, count: number) => {
    const numbers = numbersAt(units, local, localHour);
    // The hours of a day, where they are a group: as many of each as there are days.
    for (let n = 0; n < (hourAt < 0 ? 1 : Math.max(1, Math.min(count, 24))); n += 1) {
      if (hourAt >= 0) numbers[hourAt] = Math.floor(localHour / SECONDS_PER_HOUR + n) % 24;
      const key = numbers.join();
      const group = groups.get(key) ?? { numbers: [...numbers], hours: 0 };
      group.hours += hourAt < 0 ? count : Math.ceil((count - n) / 24);
      groups.set(key, group);
    }
  };
  if (from < to && from % SECONDS_PER_HOUR !== 0) {
    const begin = from - (from % SECONDS_PER_HOUR);
    add(from + secondsAt(offsets, from), begin + secondsAt(offsets, begin), 0);
  }
  for (const { local, count } of hoursOfOneGroup(units, { from, to }, offsets)) add(local, local, count);
  // Without groups a station has one row, also for a range without hours.
  return units.length === 0 && groups.size === 0 ? [{ numbers: [], hours: 0 }] : [...groups.values()];
}

/** Clock hours without a change of offset, date (where it is a unit) and month: the first of them, and their number. */
function* hoursOfOneGroup(
  units: readonly CalendarUnit[],
  { from, to }: TimeWindow,
  offsets: readonly Offset[],
): Generator<{ local: number; count: number }> {
  const nextOf = units.includes('date') ? nextDay : nextMonth;
  let at = 0;
  for (let time = Math.ceil(from / SECONDS_PER_HOUR) * SECONDS_PER_HOUR; time < to; ) {
    while ((offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= time) at += 1;
    const seconds = offsets[at]?.seconds ?? 0;
    const local = time + seconds;
    const end = Math.min(to, offsets[at + 1]?.from ?? to, nextOf(local) - seconds);
    const count = Math.ceil((end - time) / SECONDS_PER_HOUR);
    yield { local, count };
    time += count * SECONDS_PER_HOUR;
  }
}

/** @param localHour the local time of the nominal hour */
function numbersAt(units: readonly CalendarUnit[], local: number, localHour: number): number[] {
  const date = new Date(local * 1000);
  const month = date.getUTCMonth();
  const numbers: Readonly<Record<CalendarUnit, number>> = {
    year: date.getUTCFullYear() + (units.includes('season') && month === 11 ? 1 : 0),
    season: Math.floor(((month + 1) % 12) / 3),
    month: month + 1,
    date: Math.floor(local / SECONDS_PER_DAY),
    hour: Math.floor(localHour / SECONDS_PER_HOUR) % 24,
  };
  return units.map((unit) => numbers[unit]);
}

function nextDay(local: number): number {
  return (Math.floor(local / SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY;
}

function nextMonth(local: number): number {
  const date = new Date(local * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}
