import type { Select } from '../archive.ts';
import { NOMINAL_HOUR } from '../model/nominal-hour.ts';
import { OUTPUT_FORMATS } from '../observations/stream/output-formats.ts';
import { highestVersions, IN_WINDOW } from '../statements/highest-versions.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import { SqlParameters } from '../statements/sql-parameters.ts';
import { type AnswerFormat, answerColumns } from './answer-columns.ts';
import { type GroupColumn, groupColumns } from './group-columns.ts';
import type { Clock, Question } from './question.ts';
import { RowColumns } from './row-columns.ts';
import { sampledTimes } from './sampled-times.ts';
import { type ValueColumn, valueColumns } from './value-columns.ts';

const SAMPLE = readSqlFile('statistics/sample');
const FIRST_OF_HOURS = readSqlFile('statistics/first_of_hours');
const CALENDAR = readSqlFile('statistics/calendar');
const RESULTS = readSqlFile('statistics/results');
const ANSWER = readSqlFile('statistics/answer');

/** Rows of an answer at most (D45). */
export const MAX_ROWS = 100_000;

/**
 * The one statement of a question:
 *
 *     highest versions -> sample -> values of groups -> beside the calendar -> answer
 *
 * A clock has its own sample and its own calendar, because the zone of a function is the same for all rows.
 */
export function statisticsStatement(
  question: Question,
  clocks: readonly Clock[],
  format: AnswerFormat,
): Select {
  const parameters = new SqlParameters('value');
  const columns = new RowColumns(parameters);
  const groups = groupColumns(question.groups, columns);
  const values = valueColumns(question.statistics, columns);
  const times = sampledTimes(question, question.sample);
  const samples = clocks.map((_, n) => sampleSql(question, columns, groups, `${n}`, times.timeOfReport));
  const calendars = clocks.map((_, n) => calendarSql(groups, `${n}`));
  const output = answerColumns(question, groups, values);
  const { name, settings } = OUTPUT_FORMATS[format === 'json' ? 'ndjson' : format];
  const query = fillSql(ANSWER, {
    output: output.printed(format).join(',\n    '),
    joined: joinedSql(groups, values, unionOf(samples), unionOf(calendars)),
    order: listOf(groups.map(({ alias }) => alias)),
    format: name,
  });
  const { first, step, count } = times.calendar;
  return {
    query,
    params: {
      ...times.window,
      first,
      step,
      steps: count,
      maxRows: MAX_ROWS,
      ...parameters.values,
      ...output.parameters,
      ...Object.assign({}, ...clocks.map(clockParameters)),
    },
    ofStations: question.stations.length > 1,
    settings,
  };
}

function clockParameters({ zone, shift, stations }: Clock, n: number) {
  return { [`zone${n}`]: zone, [`shift${n}`]: shift, [`stations${n}`]: stations };
}

/** @param time seconds since 1970-01-01T00:00:00Z */
function localSql(time: string, clock: string): string {
  return `toDateTime(toUInt32(${time} + {shift${clock}:Int32}), {zone${clock}:String})`;
}

function sampleSql(
  { types, sample, filter }: Question,
  columns: RowColumns,
  groups: readonly GroupColumn[],
  clock: string,
  time: string,
): string {
  const filterColumn = filter && columns.addCondition(filter);
  const isHourly = sample === 'hourly';
  const versions = highestVersions({
    order: 'byStation',
    selected: [
      `station IN {stations${clock}:Array(String)}`,
      IN_WINDOW,
      ...ofTypes(isHourly ? ['METAR'] : types),
    ].join(' AND '),
    columns: [
      "tupleElement(decoded, 'nil') IS NOT NULL AS nil",
      ...(isHourly ? [`${NOMINAL_HOUR} AS hour`] : []),
      ...columns.definitions,
    ],
  });
  return fillSql(SAMPLE, {
    time: localSql(time, clock),
    groups: listOf(groups.map(({ sql, alias }) => `${sql} AS ${alias}`)),
    columns: listOf(columns.names),
    highestVersions: versions,
    firstOfHours: isHourly ? FIRST_OF_HOURS : '',
    // Of the reports of an hour the first is judged.
    filter: filterColumn === undefined ? '' : `AND ${filterColumn}`,
  });
}

function ofTypes(types: readonly string[]): readonly string[] {
  return types.length === 1 ? [`type = '${types[0]}'`] : [];
}

function calendarSql(groups: readonly GroupColumn[], clock: string): string {
  const calendar = groups.filter(({ isCalendar }) => isCalendar);
  const aliases = calendar.map(({ alias }) => alias);
  return fillSql(CALENDAR, {
    stations: `{stations${clock}:Array(String)}`,
    groups: listOf(aliases),
    definitions: listOf(calendar.map(({ sql, alias }) => `${sql} AS ${alias}`)),
    time: localSql('{first:UInt32} + {step:UInt32} * number', clock),
    groupBy: aliases.length === 0 ? '' : `GROUP BY ${aliases.join(', ')}`,
  });
}

/** Groups of the calendar alone are there without reports too (D45). */
function joinedSql(
  groups: readonly GroupColumn[],
  values: readonly ValueColumn[],
  samples: string,
  calendar: string,
): string {
  const results = fillSql(RESULTS, {
    groups: listOf(groups.map(({ alias }) => alias)),
    values: listOf(values.map(({ sql, alias }) => `${sql} AS ${alias}`)),
    samples,
  });
  const ofCalendar = groups.filter(({ isCalendar }) => isCalendar);
  const keys = `USING (${['station', ...ofCalendar.map(({ alias }) => alias)].join(', ')})`;
  return ofCalendar.length === groups.length
    ? `(${calendar}) AS calendar LEFT JOIN (${results}) AS results ${keys}`
    : `(${results}) AS results LEFT JOIN (${calendar}) AS calendar ${keys}`;
}

function unionOf(statements: readonly string[]): string {
  return statements.join('\nUNION ALL\n');
}

/** Further elements of a list. */
function listOf(elements: readonly string[]): string {
  return elements.map((element) => `, ${element}`).join('');
}
