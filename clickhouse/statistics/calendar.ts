import { dayOf, SECONDS_PER_DAY } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import { ABSENT, type Column } from './column.ts';
import type { GroupColumn } from './groups.ts';
import type { CalendarUnit } from './question.ts';

const HOUR = 3600;

/**
 * The numbers that a unit of the calendar can have: below `values`. `sql` is over a row of the sample, with its time `local`,
 * and that of its nominal hour, `localHour`. `type` and `print` are what an answer has for a number.
 */
type Unit = Omit<GroupColumn, 'name'> & { readonly values: number };

const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];

const UNITS: Readonly<Record<CalendarUnit, Unit>> = {
  year: { values: 10_000, sql: 'toYear(local)', type: 'Int32' },
  season: {
    values: SEASONS.length,
    sql: 'intDiv(toMonth(local) % 12, 3)',
    type: 'String',
    print: (season) => SEASONS[Number(season)] as string,
  },
  month: { values: 14, sql: 'toMonth(local)', type: 'Int32' },
  date: {
    values: 100_000,
    sql: 'intDiv(toUInt32(local), 86400)',
    type: 'Date32',
    print: printDay,
  },
  hour: { values: 24, sql: 'toHour(localHour)', type: 'Int32' },
};

/** The number of the year among the months of a mean year. */
export const WHOLE_YEAR = 13;

/** Absent in the row of the year. */
export const MONTH_OF_MEAN_YEAR: Column = {
  name: 'month',
  type: 'Nullable(Int32)',
  print: (month) => (month === `${WHOLE_YEAR}` ? ABSENT : month),
};

/** The hours of months and of the year that they make. */
export function withYear(months: CalendarHours): CalendarHours {
  const hours = [...months.values()].reduce((total, each) => total + each, 0);
  return months.size === 0 ? months : new Map([...months, [WHOLE_YEAR, hours]]);
}

/** The texts of days by number: a day stands in many rows, and making its text takes as long as printing a row. */
const DAYS = new Map<string, string>();

function printDay(number: string): string {
  const day = DAYS.get(number) ?? dayOf(Number(number) * SECONDS_PER_DAY);
  DAYS.set(number, day);
  return day;
}

/** The year of a season is that of its January: December belongs to the next one. */
const YEAR_OF_SEASON: Unit = { ...UNITS.year, sql: 'toYear(addMonths(local, 1))' };

/** How many clock hours begin in each group of a calendar, by `code` in ascending order. */
export type CalendarHours = ReadonlyMap<number, number>;

/**
 * The groups of units of the calendar. The numbers of a group are one number, its code, which sorts as the answer does: by
 * the first unit, then the second, ….
 */
export class Calendar {
  readonly units: readonly Unit[];
  /** Above every code. */
  readonly size: number;
  readonly #names: readonly CalendarUnit[];

  constructor(units: readonly CalendarUnit[]) {
    this.#names = units;
    const hasSeason = units.includes('season');
    this.units = units.map((unit) => (unit === 'year' && hasSeason ? YEAR_OF_SEASON : UNITS[unit]));
    this.size = this.units.reduce((size, { values }) => size * values, 1);
  }

  /** The column of one of the units. */
  columnOf(unit: CalendarUnit): Omit<GroupColumn, 'name'> {
    return this.units[this.#names.indexOf(unit)] as Unit;
  }

  codeOf(numbers: readonly number[]): number {
    return this.units.reduce((code, { values }, n) => code * values + (numbers[n] as number), 0);
  }

  /** The numbers of the units. */
  numbersOf(code: number): number[] {
    const numbers: number[] = [];
    let rest = code;
    for (const { values } of this.units.toReversed()) {
      numbers.unshift(rest % values);
      rest = Math.floor(rest / values);
    }
    return numbers;
  }

  /**
   * The groups of a range, and how many of its clock hours begin in each. The hour in which a range begins has its group
   * too. An hour belongs to where it begins, and has the offset of that time.
   */
  hoursOf(window: TimeWindow, offsets: readonly Offset[]): CalendarHours {
    const hours = new Map<number, number>();
    const hourAt = this.#names.indexOf('hour');
    const add = (local: number, localHour: number, count: number) => {
      const numbers = this.numbersAt(local, localHour);
      // The hours of a day, where they are a group: as many of each as there are days.
      for (let n = 0; n < (hourAt < 0 ? 1 : Math.max(1, Math.min(count, 24))); n += 1) {
        if (hourAt >= 0) numbers[hourAt] = Math.floor(localHour / HOUR + n) % 24;
        const code = this.codeOf(numbers);
        hours.set(code, (hours.get(code) ?? 0) + (hourAt < 0 ? count : Math.ceil((count - n) / 24)));
      }
    };
    const { from, to } = window;
    if (from < to && from % HOUR !== 0) {
      const begin = from - (from % HOUR);
      add(from + secondsAt(offsets, from), begin + secondsAt(offsets, begin), 0);
    }
    for (const { local, count } of this.#parts({ from: Math.ceil(from / HOUR) * HOUR, to }, offsets))
      add(local, local, count);
    // Without groups a station has one row, also for a range without hours.
    if (this.units.length === 0 && hours.size === 0) hours.set(0, 0);
    return new Map([...hours].sort(([one], [other]) => one - other));
  }

  /** Clock hours without a change of offset, date (where it is a unit) and month: the first of them, and their number. */
  *#parts({ from, to }: TimeWindow, offsets: readonly Offset[]): Generator<{ local: number; count: number }> {
    const nextOf = this.#names.includes('date') ? nextDay : nextMonth;
    let at = 0;
    for (let time = from; time < to; ) {
      while ((offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= time) at += 1;
      const seconds = offsets[at]?.seconds ?? 0;
      const local = time + seconds;
      const end = Math.min(to, offsets[at + 1]?.from ?? to, nextOf(local) - seconds);
      const count = Math.ceil((end - time) / HOUR);
      yield { local, count };
      time += count * HOUR;
    }
  }

  /** The numbers of a local time, and of that of its nominal hour. */
  numbersAt(local: number, localHour: number): number[] {
    const date = new Date(local * 1000);
    const month = date.getUTCMonth();
    const hasSeason = this.#names.includes('season');
    const numbers: Readonly<Record<CalendarUnit, number>> = {
      year: date.getUTCFullYear() + (hasSeason && month === 11 ? 1 : 0),
      season: Math.floor(((month + 1) % 12) / 3),
      month: month + 1,
      date: Math.floor(local / SECONDS_PER_DAY),
      hour: Math.floor(localHour / HOUR) % 24,
    };
    return this.#names.map((unit) => numbers[unit]);
  }
}

/** The number of the calendar month of a local time. */
export function monthOf(local: number): number {
  const date = new Date(local * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function nextDay(local: number): number {
  return (Math.floor(local / SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY;
}

function nextMonth(local: number): number {
  const date = new Date(local * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}
