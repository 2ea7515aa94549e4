import { type Day, dayOfNumber, numberOfDay, SECONDS_PER_DAY } from '../model/day.ts';
import { DAY_COLUMNS, DAY_CONDITION_FIELDS } from './day-columns.ts';
import { daySource } from './day-source.ts';
import { reachedDays } from './days-until-now.ts';
import { DAYS_OF_WINDOW, type RecordTable } from './read-records.ts';

/** The offsets from UTC of this time before a range are needed too: its days are computed by whole months. */
export const TIME_AROUND_DAYS = 62 * SECONDS_PER_DAY;

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
  rangeOf: reachedDays,
  rowsOfWindow: () => DAYS_OF_WINDOW,
  open: (archive, { days: { now }, clocks, window: { first, end }, fields }, signal) =>
    daySource(
      archive,
      { clocks, firstDay: dayOfNumber(first), endDay: dayOfNumber(end), now, fields },
      signal,
    ),
};
