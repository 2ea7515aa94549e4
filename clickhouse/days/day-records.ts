import { type ScalarField, scalarsInUnits } from '../conditions/fields.ts';
import { type Day, numberOfDay } from '../model/day.ts';
import { columnsInUnits } from '../statements/print-rows.ts';
import { daySource } from './day-source.ts';
import { answerType, comparableDayValue, printedDayValue, VISIBLE_DAY_FIELDS } from './fields.ts';
import { DAYS_OF_WINDOW, key, type RecordTable, STATION } from './read-records.ts';

/** A column of numbers, as conditions compare it. */
export const number = (name: string): ScalarField => ({
  name,
  sql: name,
  comparableSql: name,
  values: { kind: 'number', sqlType: 'Float64' },
});

const NUMBERS: readonly ScalarField[] = VISIBLE_DAY_FIELDS.filter(({ type }) => type !== 'DateTime').map(
  (field) => ({
    ...number(field.name),
    comparableSql: comparableDayValue(field),
    values: { kind: 'number', sqlType: 'Float64', ...(field.type === 'Flag' && { isBit: true }) },
  }),
);

export const DAY_NUMBERS = scalarsInUnits(NUMBERS);

/** What conditions on days can name: `n >= 20` asks for days with enough reports. */
export const DAY_CONDITION_FIELDS = scalarsInUnits([number('n'), number('expected'), ...NUMBERS]);

export const DAY_COLUMNS = columnsInUnits(
  VISIBLE_DAY_FIELDS.map((field) => {
    const { name, unit, meaning } = field;
    return { name, sql: printedDayValue(field), type: answerType(field), unit, meaning };
  }),
);

/** A record for each day (D72). */
export const DAILY: RecordTable = {
  keys: [
    STATION,
    key('date', 'Date32', 'the day, in standard time or UTC'),
    key('n', 'Int64', 'hours with a METAR'),
    key(
      'expected',
      'Int64',
      'clock hours that begin on the day; on a day that is not over, those that have begun',
    ),
  ],
  fields: DAY_COLUMNS,
  conditionFields: DAY_CONDITION_FIELDS,
  order: 'date',
  numberOf: ({ date }) => numberOfDay(date as Day),
  rangeOf: (reached) => reached,
  rowsOfWindow: () => DAYS_OF_WINDOW,
  open: (asked, { first, end }, fields) => daySource({ ...asked, first, end }, fields),
};
