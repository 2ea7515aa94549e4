import {
  addDays,
  clip,
  type Day,
  type DayRange,
  dayOf,
  dayOfNumber,
  FIRST_DAY,
  numberOfDay,
  SECONDS_PER_DAY,
} from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import type { Clock } from '../zones/clocks.ts';
import { secondsAt } from '../zones/zone-offsets.ts';
import { DAY_COLUMNS, DAY_CONDITION_FIELDS } from './day-columns.ts';
import { daySource } from './day-source.ts';
import { DAYS_OF_WINDOW, type RecordTable } from './read-records.ts';
import type { RecordRange } from './record-grid.ts';

/** The offsets from UTC of this time before a range are needed too: its days are computed by whole months. */
export const TIME_AROUND_DAYS = 62 * SECONDS_PER_DAY;

/**
 * The days of a range that can have a record: since the archive begins, and up to two days ahead.
 *
 * @param range midnights of UTC with the same dates
 */
export function possibleDays({ from, to }: TimeWindow): DayRange {
  const endDay = addDays(dayOf(Date.now() / 1000), 2);
  return clip({ firstDay: dayOf(from), endDay: dayOf(to) }, { firstDay: FIRST_DAY, endDay });
}

/** The days of a range that a clock has reached, the one of the present too, by their numbers. */
export function rangeOfDays({ firstDay, endDay }: DayRange, { offsets }: Clock, now: number): RecordRange {
  const today = Math.floor((now + secondsAt(offsets, now)) / SECONDS_PER_DAY);
  const first = numberOfDay(firstDay);
  return { first, end: Math.max(first, Math.min(numberOfDay(endDay), today + 1)) };
}

/** A record for each day (D72). */
export const DAILY: RecordTable = {
  keys: [
    { name: 'station', sql: 'station', type: 'String', meaning: 'ICAO code of the station' },
    { name: 'date', sql: 'date', type: 'Date32', meaning: 'the day, in standard time or UTC' },
    { name: 'n', sql: 'n', type: 'Int64', meaning: 'hours with a METAR' },
    {
      name: 'expected',
      sql: 'expected',
      type: 'Int64',
      meaning: 'clock hours that begin on the day; on a day that is not over, those that have begun',
    },
  ],
  fields: DAY_COLUMNS,
  conditionFields: DAY_CONDITION_FIELDS,
  order: 'date',
  numberOf: ({ date }) => numberOfDay(date as Day),
  rangeOf: rangeOfDays,
  rowsOfWindow: () => DAYS_OF_WINDOW,
  open: (archive, { clocks, window: { first, end }, fields }, signal) =>
    daySource(archive, { clocks, firstDay: dayOfNumber(first), endDay: dayOfNumber(end), fields }, signal),
};
