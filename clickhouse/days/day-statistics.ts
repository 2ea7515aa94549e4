import { buffer } from 'node:stream/consumers';
import type { Archive } from '../archive.ts';
import { type Condition, conditionSql, fieldsIn } from '../conditions/condition.ts';
import { type GridWindow, openGrid, type PrintedAs } from '../grid-rows.ts';
import { daysBetween } from '../model/day.ts';
import { printedNumber } from '../model/field-columns.ts';
import { recordsOfLines } from '../observations/records.ts';
import type { RowFormat } from '../observations/stream/output-formats.ts';
import type { RowColumn } from '../statements/print-rows.ts';
import { readStatement, SqlParameters } from '../statements/sql.ts';
import { groupColumns, printGroups } from '../statistics/groups.ts';
import type { Question, Statistic } from '../statistics/question.ts';
import { CONDITIONS, type GroupRows, printValues, statisticSql } from '../statistics/values.ts';
import type { Clock } from '../zones/clocks.ts';
import { DAILY, DAY_COLUMNS, DAY_CONDITION_FIELDS } from './day-records.ts';
import { readDaysUntilNow } from './days-until-now.ts';
import { DAYS_OF_WINDOW, gridOf, type RecordStatement, selectOfWindow, storedNames } from './read-records.ts';

const STATISTICS = readStatement('records/statistics');

/**
 * The answer to a question about days in a format, as the engine prints it; of JSON the elements of `data`, with commas between
 * them.
 *
 * @param question its range is of days, given as midnights in UTC with the same dates
 */
export async function readDayStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, signal }: { readonly format: RowFormat; readonly signal?: AbortSignal },
): Promise<Buffer> {
  const days = await readDaysUntilNow(archive, question);
  const asked = { archive, table: DAILY, days, clocks, signal };
  const grid = gridOf(asked);
  const statement = statementOf(question, format);
  // The days of a station are in one window.
  const stream = Math.max(DAYS_OF_WINDOW, daysBetween(days.firstDay, days.endDay));
  const rows = {
    archive,
    grid,
    select: (window: GridWindow, as: PrintedAs) =>
      selectOfWindow(asked, grid.recordsOf(window), statement, as),
    windowRows: { page: stream, stream },
    limit: Number.POSITIVE_INFINITY,
  };
  const opened = openGrid(rows, format === 'json' ? 'ndjson' : format, { firstRow: 0, endRow: grid.size });
  const bytes = await buffer(await opened);
  return format === 'json' ? recordsOfLines(bytes).bytes : bytes;
}

function statementOf({ statistics, condition, groups }: Question, format: RowFormat): RecordStatement {
  const parameters = new SqlParameters('value');
  const meets = condition && conditionSql(condition, parameters, DAY_CONDITION_FIELDS);
  const calendar = groupColumns(groups, parameters);
  const rows = groupRows(parameters);
  const values = statistics.map((statistic) => statisticSql(statistic, rows));
  const keys = ['_station', ...calendar.map((_, n) => `_group${n}`)];
  return {
    template: STATISTICS,
    clauses: {
      andMeets: meets === undefined ? '' : `AND ifNull(${meets}, 0)`,
      groups: [
        'station AS _station',
        ...calendar.map(({ sql }, n) => `${sql} AS _group${n}`),
        'toUInt32(countIf(isKept)) AS _n',
        'toUInt32(count()) AS _expected',
        ...values.map(({ sql }, n) => `${sql} AS _value${n}`),
      ].join(',\n        '),
      keys: keys.join(', '),
    },
    columns: [
      { name: 'station', sql: '_station', type: 'String' },
      ...printGroups(groups, calendar),
      { name: 'n', sql: '_n', type: 'Int64' },
      { name: 'expected', sql: '_expected', type: 'Int64' },
      ...printValues(statistics, values, format),
    ],
    params: parameters.values,
    fields: storedNames(DAY_COLUMNS, [
      ...statistics.flatMap(fieldsOf),
      ...(condition ? fieldsIn(condition) : []),
    ]),
  };
}

function fieldsOf(statistic: Statistic): readonly string[] {
  if (statistic.kind === 'condition') return fieldsIn(statistic.condition);
  return 'field' in statistic ? [statistic.field] : [];
}

/** SQL of a field, and of the one that it is in another unit: values have the order of that, in which -0 is below 0. */
function sqlOf(field: string) {
  const { sql, stored = field, conversion } = DAY_COLUMNS.get(field) as RowColumn;
  const { sql: ofStored } = DAY_COLUMNS.get(stored) as RowColumn;
  const printed = (value: string) => (ofStored === stored ? value : printedNumber('Temperature', value));
  return {
    stored,
    number: conversion?.exact(ofStored) ?? sql,
    printed: (value: string) => conversion?.printed(printed(value)) ?? printed(value),
  };
}

function groupRows(parameters: SqlParameters): GroupRows {
  const counted = (value: string) => `if(isKept, ${value}, NULL)`;
  return {
    count: 'toUInt32(countIf(isKept))',
    counted,
    number: (field) => sqlOf(field).number,
    ordered: (field) => sqlOf(field).stored,
    extreme: (of, field) => sqlOf(field).printed(`${of}(${counted(sqlOf(field).stored)})`),
    condition: (condition: Condition) => conditionSql(condition, parameters, DAY_CONDITION_FIELDS),
    conditions: CONDITIONS,
    time: 'toUInt32(toInt32(date))',
    printTime: (number) => `toDate32(${number})`,
    timeType: 'Nullable(Date32)',
  };
}
