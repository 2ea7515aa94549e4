import { firstDayOf, monthOfDay } from '../days/local-month.ts';
import { dayNumber, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { NativeRows } from '../observations/native-columns.ts';
import { type Clock, windowOf } from '../zones/clocks.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import { calendarUnits, type GroupColumn } from './groups.ts';
import type { CalendarUnit, Question } from './question.ts';

/**
 * The groups of stations by units of the calendar, and their expected hours.
 *
 * @param columns those of the groups of the question
 * @param stations in the order of `_station`
 */
export function calendarRows(
  question: Question,
  columns: readonly GroupColumn[],
  clocks: readonly Clock[],
  stations: readonly string[],
): NativeRows {
  const units = calendarUnits(question.groups);
  const keys = columns.flatMap(({ keyType }, n) => (keyType ? [[`_group${n}`, keyType] as const] : []));
  const rows = new NativeRows([['_station', 'UInt16'], ...keys, ['_expected', 'UInt32']]);
  const places = new Map(stations.map((station, n) => [station, n]));
  for (const clock of clocks) {
    const groups = calendarGroups(units, windowOf(clock, question), clock.offsets);
    const ofGroups = keys.map(([name], n) => [name, groups.map(({ numbers }) => numbers[n])]);
    const columns = { ...Object.fromEntries(ofGroups), _expected: groups.map(({ hours }) => hours) };
    for (const station of clock.stations) rows.put(places.get(station), columns, 0, groups.length);
  }
  return rows;
}

/** A group of units of the calendar, and how many clock hours of a range begin in it. */
export type CalendarGroup = { readonly numbers: readonly number[]; hours: number };

/**
 * The groups of a range, in no order. Also the hour in which the range begins has its group. An hour belongs to the group of its
 * start, and has the offset of that time.
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
    // If hours of the day are a group, divides the hours among them.
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

/** Runs of clock hours with the same offset, month and (if it is a unit) date: the first hour of each, and their number. */
function* hoursOfOneGroup(
  units: readonly CalendarUnit[],
  { from, to }: TimeWindow,
  offsets: readonly Offset[],
): Generator<{ local: number; count: number }> {
  const endOf = (day: number) => (units.includes('date') ? day + 1 : firstDayOf(monthOfDay(day) + 1));
  let at = 0;
  for (let time = Math.ceil(from / SECONDS_PER_HOUR) * SECONDS_PER_HOUR; time < to; ) {
    while ((offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= time) at += 1;
    const seconds = offsets[at]?.seconds ?? 0;
    const local = time + seconds;
    const endOfUnit = endOf(dayNumber(local)) * SECONDS_PER_DAY - seconds;
    const end = Math.min(to, offsets[at + 1]?.from ?? to, endOfUnit);
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
    date: dayNumber(local),
    hour: Math.floor(localHour / SECONDS_PER_HOUR) % 24,
  };
  return units.map((unit) => numbers[unit]);
}
