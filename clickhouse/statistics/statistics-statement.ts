import type { Select } from '../archive.ts';
import { NOMINAL_HOUR } from '../model/nominal-hour.ts';
import { OUTPUT_FORMATS } from '../observations/stream/output-formats.ts';
import { highestVersions, IN_WINDOW } from '../statements/highest-versions.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import { SqlParameters } from '../statements/sql-parameters.ts';
import { type AnswerFormat, answerColumns } from './answer-columns.ts';
import { type GroupColumn, groupColumns } from './group-columns.ts';
import { localTime } from './local-time.ts';
import type { Clock, Question } from './question.ts';
import { RowColumns } from './row-columns.ts';
import { sampledTimes } from './sampled-times.ts';
import { type ValueColumn, valueColumns } from './value-columns.ts';

const SAMPLE = readSqlFile('statistics/sample');
const FIRST_OF_HOURS = readSqlFile('statistics/first_of_hours');
const CALENDAR = readSqlFile('statistics/calendar');
/** Each station has all hours in one group. */
const WITHOUT_CALENDAR = 'SELECT arrayJoin({stations:Array(String)}) AS station, {steps:UInt32} AS expected';
const RESULTS = readSqlFile('statistics/results');
const ANSWER = readSqlFile('statistics/answer');

/** Rows of an answer at most (D45). */
export const MAX_ROWS = 100_000;

/**
 * The one statement of a question:
 *
 *     highest versions -> sample -> values of groups -> joined with the calendar -> answer
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
  const time = localTime(clocks);
  const local = time.localSql(times.timeOfReport, time.clockOfStation);
  const sample = sampleSql(question, columns, groups, local);
  const calendar = calendarSql(groups, time.localSql('second', 'clock'));
  const output = answerColumns(question, groups, values);
  const { name, settings } = OUTPUT_FORMATS[format === 'json' ? 'ndjson' : format];
  const query = fillSql(ANSWER, {
    output: output.printed(format).join(',\n    '),
    joined: joinedSql(groups, values, sample, calendar),
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
      stationsOfClocks: clocks.map(({ stations }) => stations),
      maxRows: MAX_ROWS,
      ...parameters.values,
      ...output.parameters,
      ...time.params,
    },
    ofStations: question.stations.length > 1,
    settings,
  };
}

function sampleSql(
  { types, sample, condition }: Question,
  columns: RowColumns,
  groups: readonly GroupColumn[],
  local: string,
): string {
  const filterColumn = condition && columns.addCondition(condition);
  const isHourly = sample === 'hourly';
  const versions = highestVersions({
    order: 'byStation',
    selected: [
      'station IN {stations:Array(String)}',
      IN_WINDOW,
      ...ofTypes(isHourly ? ['METAR'] : types),
    ].join(' AND '),
    columns: ['nil', ...(isHourly ? [`${NOMINAL_HOUR} AS hour`] : []), ...columns.definitions],
  });
  return fillSql(SAMPLE, {
    local,
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

function calendarSql(groups: readonly GroupColumn[], local: string): string {
  const calendar = groups.filter(({ isCalendar }) => isCalendar);
  if (calendar.length === 0) return WITHOUT_CALENDAR;
  const aliases = calendar.map(({ alias }) => alias).join(', ');
  const definitions = calendar.map(({ sql, alias }) => `${sql} AS ${alias}`).join(', ');
  return fillSql(CALENDAR, { groups: aliases, definitions, local });
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

/** Further elements of a list. */
function listOf(elements: readonly string[]): string {
  return elements.map((element) => `, ${element}`).join('');
}
