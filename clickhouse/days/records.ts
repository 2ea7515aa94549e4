import { type ConditionFields, scalarsInUnits } from '../conditions/fields.ts';
import { type Day, type DayRun, numberOfDay } from '../model/day.ts';
import { printedNumber } from '../model/field-columns.ts';
import { NativeRows } from '../observations/native-columns.ts';
import { columnsInUnits, type RowColumn } from '../statements/print-rows.ts';
import { daySource, readDays } from './day-source.ts';
import { type DayField, type Days, VISIBLE_DAY_FIELDS } from './fields.ts';
import { firstDayOf, monthsOfDays } from './local-month.ts';
import { FIELDS_OF_MONTHS, type Folded, isExtreme, MONTH_VALUES, monthsOf } from './months.ts';
import { normalsOf, YEAR } from './normals.ts';
import { DAYS_OF_WINDOW, type RecordRange, type RecordTable } from './read-records.ts';
import { countBefore } from './reports.ts';

const [NUMBER, DATE] = ['Nullable(Float64)', 'Nullable(Date32)'] as const;

const key = (name: string, type: RowColumn['type'], meaning: string) => ({ name, sql: name, type, meaning });
const STATION = key('station', 'String', 'ICAO code of the station');

/** What conditions can name, the numbers: `n >= 20` asks for days with enough reports. */
function conditionFieldsOf(columns: readonly (RowColumn & Partial<DayField>)[]): ConditionFields {
  const numbers = columns.filter(({ type }) => /Int|Float/.test(type));
  return scalarsInUnits(
    numbers.map(({ name, kind, comparableSql = name }) => ({
      name,
      sql: name,
      comparableSql,
      values: { kind: 'number', sqlType: 'Float64', ...(kind === 'Flag' && { isBit: true }) },
    })),
  );
}

const DAY_KEYS: readonly RowColumn[] = [
  STATION,
  key('date', 'Date32', 'the day, in standard time or UTC'),
  key('n', 'Int64', 'hours with a METAR'),
  key(
    'expected',
    'Int64',
    'clock hours that begin on the day; on a day that is not over, those that have begun',
  ),
];

export const DAY_NUMBERS = conditionFieldsOf(VISIBLE_DAY_FIELDS);
export const DAY_COLUMNS = columnsInUnits(VISIBLE_DAY_FIELDS);

/** A record for each day (D72). */
export const DAILY: RecordTable = {
  keys: DAY_KEYS,
  fields: DAY_COLUMNS,
  conditionFields: conditionFieldsOf([...DAY_KEYS, ...VISIBLE_DAY_FIELDS]),
  order: 'date',
  numberOf: ({ date }) => numberOfDay(date as Day),
  rangeOf: (reached) => reached,
  rowsOfWindow: () => DAYS_OF_WINDOW,
  open: (asked, { first, end }, fields) => daySource({ ...asked, first, end }, fields),
};

/** @param counted the number beside a value: days of a month, or years of a mean year */
function columnsBeside(counted: 'days' | 'years'): readonly RowColumn[] {
  return MONTH_VALUES.flatMap((folded) => {
    const { name, meaning, fold, of } = folded;
    // -0 is stored as -0.05, which is below 0.
    const sql = isExtreme(folded) && of.kind === 'Temperature' ? printedNumber('Temperature', name) : name;
    const value = { name, sql, type: NUMBER, unit: fold === 'days' ? 'd' : of.unit, meaning };
    if (isExtreme(folded)) return [value, key(`${name}_date`, DATE, `the first day of \`${name}\``)];
    if (counted === 'days' && fold === 'mean') return [value];
    return [value, key(`${name}_${counted}`, 'Nullable(Int32)', `the ${counted} of which \`${name}\` is`)];
  });
}

type Folding = Pick<RecordTable, 'numberOf' | 'rangeOf' | 'rowsOfWindow'> & {
  /** What records have before their values, beside station and counts. */
  readonly keys: readonly RowColumn[];
  readonly counted: 'days' | 'years';
  readonly fold: (days: Days) => Folded;
  readonly daysOf: (asked: DayRun, window: RecordRange) => DayRun;
};

const FOLDED_DAYS = 'folded_days';

function foldedTable({ keys, counted, fold, daysOf, ...table }: Folding): RecordTable {
  const numbers = [
    ...keys,
    key('n', 'Int64', 'hours with a METAR'),
    key('expected', 'Int64', 'hours that could have one'),
  ];
  const values = columnsBeside(counted);
  return {
    ...table,
    keys: [STATION, ...numbers],
    fields: columnsInUnits(values),
    conditionFields: conditionFieldsOf([...numbers, ...values]),
    order: 'at',
    async open(asked, window, fields) {
      const rows = new NativeRows([
        ['station', 'String'],
        ['at', 'Int32'],
        ...numbers.map(({ name }) => [name, 'Nullable(Int32)'] as const),
        ...values.filter(({ name }) => fields.includes(name)).map(({ name, type }) => [name, type] as const),
      ]);
      const ofRecords = { ...asked, ...daysOf(asked, window) };
      for (const [station, days] of await readDays(ofRecords, FIELDS_OF_MONTHS)) {
        const records = fold(days);
        const [begin, end] = [window.first, window.end].map((at) => countBefore(records.at, at));
        rows.put(station, records, begin as number, end as number);
      }
      return { from: FOLDED_DAYS, params: {}, file: rows.takeFile(FOLDED_DAYS) };
    },
  };
}

/** A record for each month (D73). */
export const MONTHLY = foldedTable({
  keys: [
    key('year', 'Int32', 'calendar year'),
    key('month', 'Int32', 'calendar month, 1 to 12'),
    key('days', 'Int64', 'days of which enough is known for means and extremes'),
  ],
  counted: 'days',
  fold: monthsOf,
  numberOf: ({ year, month }) => Number(year) * 12 + Number(month) - 1,
  rangeOf: monthsOfDays,
  rowsOfWindow: () => Math.floor(DAYS_OF_WINDOW / 31),
  daysOf: (asked, window) => ({
    first: Math.max(asked.first, firstDayOf(window.first)),
    end: Math.min(asked.end, firstDayOf(window.end)),
  }),
});

/** A record for each month of a mean year, and one for the year (D73). */
export const NORMALS = foldedTable({
  keys: [
    key('month', 'Nullable(Int32)', 'calendar month, 1 to 12; absent in the record of the year'),
    key('years', 'Int64', 'the greatest number of years of a value'),
  ],
  counted: 'years',
  fold: (days) => normalsOf(monthsOf(days)),
  numberOf: ({ month }) => (month === undefined ? YEAR : Number(month)),
  rangeOf: ({ first, end }) => ({ first: 1, end: first < end ? YEAR + 1 : 1 }),
  // Of as many stations as have DAYS_OF_WINDOW days together.
  rowsOfWindow: ({ first, end }) => YEAR * Math.max(1, Math.floor(DAYS_OF_WINDOW / (end - first))),
  daysOf: ({ first, end }) => ({ first, end }),
});
