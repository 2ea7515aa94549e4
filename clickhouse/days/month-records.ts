import type { Archive } from '../archive.ts';
import { type ConditionFields, scalarsInUnits } from '../conditions/condition.ts';
import { clip, dayOfNumber, daysBetween } from '../model/day.ts';
import { printedNumber } from '../model/field-columns.ts';
import { encodeBlock, NumberWriter, StringWriter } from '../observations/native-columns.ts';
import { columnsInUnits, type RowColumn } from '../statements/print-rows.ts';
import { rangeOfDays } from './day-records.ts';
import { DAY_FIELDS, type DayField, type DaySource } from './fields.ts';
import { firstDayOf, monthOfDay } from './local-month.ts';
import { MONTH_VALUES, type Month, monthsOf } from './months.ts';
import { normalsOf } from './normals.ts';
import { readDays } from './read-days.ts';
import { DAYS_OF_WINDOW, type OpenedWindow, type RecordTable } from './read-records.ts';

/** A value of a month or of a mean year. NaN where it is absent. */
type Cell = {
  readonly value: number;
  readonly date?: number;
  readonly days?: number;
  readonly years?: number;
};

/** A column of records: a value, or what stands beside it. */
type MonthColumn = RowColumn & {
  readonly of: string;
  readonly read: (cell: Cell) => number | undefined;
};

const DAY_FIELD = new Map<string, DayField>(DAY_FIELDS.map((field) => [field.name, field]));

/** @param counted what is counted of a value beside it: the days of a month, or the years of a mean year */
function columnsBeside(counted: 'days' | 'years'): readonly MonthColumn[] {
  return MONTH_VALUES.flatMap(({ name, meaning, fold, of }) => {
    const isExtreme = fold === 'max' || fold === 'min';
    const { type, unit } = DAY_FIELD.get(of) as DayField;
    const isTemperature = isExtreme && type === 'Temperature';
    const value: MonthColumn = {
      name,
      // -0 is stored as -0.05, which is below 0.
      sql: isTemperature ? printedNumber('Temperature', name) : name,
      type: 'Nullable(Float64)',
      unit: fold === 'days' ? 'd' : unit,
      meaning,
      of: name,
      read: ({ value }) => (isTemperature && Object.is(value, -0) ? -0.05 : value),
    };
    const beside = (suffix: string, other: Omit<MonthColumn, 'name' | 'sql' | 'of'>): MonthColumn => ({
      name: `${name}_${suffix}`,
      sql: `${name}_${suffix}`,
      of: name,
      ...other,
    });
    if (isExtreme)
      return [
        value,
        beside('date', {
          type: 'Nullable(Date32)',
          meaning: `the first day of \`${name}\``,
          read: ({ date }) => date,
        }),
      ];
    if (counted === 'days' && fold === 'mean') return [value];
    return [
      value,
      beside(counted, {
        type: 'Nullable(Int32)',
        meaning: `the ${counted} of which \`${name}\` is`,
        read: (cell) => cell[counted],
      }),
    ];
  });
}

function conditionFieldsOf(columns: readonly RowColumn[]): ConditionFields {
  return scalarsInUnits(
    columns
      .filter(({ type }) => type !== 'Nullable(Date32)' && type !== 'String')
      .map(({ name, sql }) => ({
        name,
        sql,
        comparableSql: name,
        values: { kind: 'number', sqlType: 'Float64' },
      })),
  );
}

const key = (name: string, type: RowColumn['type'], meaning: string): RowColumn => ({
  name,
  sql: name,
  type,
  meaning,
});
const STATION = key('station', 'String', 'ICAO code of the station');
const COUNTS = [
  key('n', 'Int64', 'hours with a METAR'),
  key('expected', 'Int64', 'hours that could have one'),
];

const MONTHLY_KEYS = [
  STATION,
  key('year', 'Int32', 'calendar year'),
  key('month', 'Int32', 'calendar month, 1 to 12'),
  key('days', 'Int64', 'days of which enough is known for means and extremes'),
  ...COUNTS,
];
const MONTHLY_COLUMNS = columnsBeside('days');
/** A record for each month (D73). */
export const MONTHLY: RecordTable = {
  keys: MONTHLY_KEYS,
  fields: columnsInUnits(MONTHLY_COLUMNS),
  conditionFields: conditionFieldsOf([...MONTHLY_KEYS, ...MONTHLY_COLUMNS]),
  order: 'at',
  numberOf: ({ year, month }) => Number(year) * 12 + Number(month) - 1,
  rangeOf: (days, clock, now) => {
    const { first, end } = rangeOfDays(days, clock, now);
    return { first: monthOfDay(first), end: first < end ? monthOfDay(end - 1) + 1 : monthOfDay(first) };
  },
  rowsOfWindow: () => Math.floor(DAYS_OF_WINDOW / 31),
  async open(archive, asked, signal) {
    const { days, window } = asked;
    const ofWindow = {
      firstDay: dayOfNumber(firstDayOf(window.first)),
      endDay: dayOfNumber(firstDayOf(window.end)),
    };
    return sourceOf(MONTHLY_COLUMNS, archive, { ...asked, days: clip(days, ofWindow) }, signal, (months) =>
      months.map(({ month, cells, ...counts }) => ({
        at: month,
        keys: { year: Math.floor(month / 12), month: (month % 12) + 1, ...counts },
        cells,
      })),
    );
  },
};

const NORMALS_KEYS = [
  STATION,
  key('month', 'Nullable(Int32)', 'calendar month, 1 to 12; absent in the record of the year'),
  key('years', 'Int64', 'the greatest number of years of a value'),
  ...COUNTS,
];
const NORMALS_COLUMNS = columnsBeside('years');
/** The number of the year among the months of a mean year. */
const YEAR = 13;
/** A record for each month of a mean year, and one for the year (D73). */
export const NORMALS: RecordTable = {
  keys: NORMALS_KEYS,
  fields: columnsInUnits(NORMALS_COLUMNS),
  conditionFields: conditionFieldsOf([...NORMALS_KEYS, ...NORMALS_COLUMNS]),
  order: 'at',
  numberOf: ({ month }) => (month === undefined ? YEAR : Number(month)),
  rangeOf: (days, clock, now) => {
    const { first, end } = rangeOfDays(days, clock, now);
    return first < end ? { first: 1, end: YEAR + 1 } : { first: 1, end: 1 };
  },
  rowsOfWindow: ({ firstDay, endDay }) =>
    YEAR * Math.max(1, Math.floor(DAYS_OF_WINDOW / daysBetween(firstDay, endDay))),
  open: (archive, asked, signal) =>
    sourceOf(NORMALS_COLUMNS, archive, asked, signal, (months) =>
      normalsOf(months).map(({ month, cells, ...counts }) => ({
        at: month ?? YEAR,
        keys: {
          month,
          years: Math.max(...[...cells.values()].map(({ years }) => years)),
          ...counts,
        },
        cells,
      })),
    ),
};

/** A record: its numbers other than values, and its values by name. */
type FoldedRecord = {
  readonly at: number;
  readonly keys: Readonly<Record<string, number | undefined>>;
  readonly cells: ReadonlyMap<string, Cell>;
};

const NAME = 'folded_days';
const KEYS = ['year', 'month', 'days', 'years', 'n', 'expected'];

/** The records that the months of each station make, as a file of the statement. */
async function sourceOf(
  columns: readonly MonthColumn[],
  archive: Archive,
  { days, clocks, window, fields }: OpenedWindow,
  signal: AbortSignal | undefined,
  fold: (months: readonly Month[]) => readonly FoldedRecord[],
): Promise<DaySource> {
  const used = columns.filter(({ name }) => fields.includes(name));
  const station = new StringWriter();
  const at = new NumberWriter('Int32');
  const keys = KEYS.map((name) => [name, new NumberWriter('Nullable(Int32)')] as const);
  const values = used.map((column) => ({
    ...column,
    values: new NumberWriter(column.type),
  }));
  let rows = 0;
  for await (const ofStation of readDays(archive, { ...days, clocks }, signal))
    for (const record of fold(monthsOf(ofStation.days))) {
      if (record.at < window.first || record.at >= window.end) continue;
      station.put(rows, ofStation.station);
      at.put(rows, record.at);
      for (const [name, column] of keys) column.put(rows, record.keys[name]);
      for (const { of, read, values: column } of values) {
        const number = read(record.cells.get(of) as Cell);
        if (!Number.isNaN(number)) column.put(rows, number);
      }
      rows += 1;
    }
  const all = {
    station,
    at,
    ...Object.fromEntries([...keys, ...values.map((each) => [each.name, each.values] as const)]),
  };
  return {
    from: NAME,
    params: {},
    file: {
      name: NAME,
      format: 'Native',
      structure: Object.entries(all)
        .map(([name, { type }]) => `${name} ${type}`)
        .join(', '),
      bytes: encodeBlock(all, rows),
    },
  };
}
