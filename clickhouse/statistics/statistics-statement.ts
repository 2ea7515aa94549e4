import type { Select } from '../archive.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import { OUTPUT_FORMATS, type StreamFormat } from '../observations/stream/output-formats.ts';
import { BEST_OF_MINUTE, highestVersions, IN_WINDOW } from '../statements/current-reports.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import { normalsSql } from './normals.ts';
import type { Clock, Question, Statistic } from './question.ts';
import { type GroupColumn, groupColumns, RowColumns } from './row-columns.ts';
import { dayOf, LocalTime, sampledTimes } from './times.ts';
import { printedValue, readSampleOf, type ValueColumn, valueColumns } from './value-columns.ts';

const SAMPLE = readStatement('statistics/sample');
const REPORTS = readStatement('statistics/reports');
const FIRST_OF_HOURS = readStatement('statistics/first_of_hours');
const CALENDAR = readStatement('statistics/calendar');
/** Each station has all hours in one group. */
const WITHOUT_CALENDAR =
  'SELECT arrayJoin({stations:Array(String)}) AS station, {expected:UInt32} AS expected';
const RESULTS = readStatement('statistics/results');
const ANSWER = readStatement('statistics/answer');

/** Rows of an answer at most (D45). */
export const MAX_ROWS = 100_000;

/** A line of `json` is an element of `data`. */
export type AnswerFormat = 'json' | StreamFormat;

/**
 * The one statement of a question:
 *
 *     highest versions -> reports -> sample -> values of groups -> joined with the calendar -> answer
 */
export function statisticsStatement(
  question: Question,
  clocks: readonly Clock[],
  format: AnswerFormat,
): Select {
  const parameters = new SqlParameters('value');
  const columns = new RowColumns(parameters);
  const groups = groupColumns(question.groups, columns);
  const values = valueColumns(question, columns);
  const times = sampledTimes(question);
  const local = new LocalTime(clocks);
  const sample = sampleSql(question, columns, groups, local);
  const calendar = calendarSql(groups, local);
  const joined = joinedSql(question, columns, groups, values, sample, calendar);
  const normals = question.isMeanYear ? normalsSql(joined, values) : undefined;
  const printed = normals ?? { groups, values };
  const output = answerColumns(printed.groups, printed.values);
  const { name, settings } = OUTPUT_FORMATS[format === 'json' ? 'ndjson' : format];
  const query = fillSql(ANSWER, {
    output: printedColumns(output, format).join(',\n    '),
    joined: normals === undefined ? joined : `(${normals.sql})`,
    order: listOf(printed.groups.map(({ alias }) => alias)),
    format: name,
  });
  const { window, readFrom, ...hours } = times;
  return {
    query,
    params: {
      from: readFrom,
      begin: window.from,
      to: window.to,
      ...hours,
      stationsOfClocks: clocks.map(({ stations }) => stations),
      maxRows: MAX_ROWS,
      ...parameters.values,
      ...Object.fromEntries(output.map(({ name }, n) => [`name${n}`, name])),
      ...local.params,
    },
    ofStations: question.stations.length > 1,
    settings,
  };
}

function sampleSql(
  { stations, types, statistics, sample, condition }: Question,
  columns: RowColumns,
  groups: readonly GroupColumn[],
  local: LocalTime,
): string {
  if (condition !== undefined) columns.addCondition(condition);
  const read = readSampleOf(statistics, sample);
  const isFirst = read === 'marked' ? [`${IS_FIRST} AS isFirst`] : [];
  const isOneStation = stations.length === 1;
  const versions = highestVersions({
    order: isOneStation ? 'ofOneStation' : 'byStation',
    selected: [
      isOneStation ? 'station = {stations:Array(String)}[1]' : 'station IN {stations:Array(String)}',
      IN_WINDOW,
      ...ofTypes(read === 'first' ? ['METAR'] : types),
    ].join(' AND '),
    columns: [
      'nil',
      ...BEST_OF_MINUTE.columns,
      ...(read === 'all' ? [] : [`${STATION_HOUR} AS stationHour`]),
      ...columns.definitions,
    ],
  });
  const minute = isOneStation ? 'observedAt, type' : 'station, observedAt, type';
  const ofHour = local.sql(`${NOMINAL_HOUR} * 3600`, local.clockOfStation);
  return fillSql(SAMPLE, {
    local: local.sql('toUInt32(observedAt)', local.clockOfStation),
    localHour: listOf(needsHour(statistics, groups) ? [`${ofHour} AS localHour`, ...WITHIN_DAY] : []),
    isFirst: listOf(isFirst),
    groups: listOf(groups.map(({ sql, alias }) => `${sql} AS ${alias}`)),
    columns: listOf(columns.names),
    reports: fillSql(REPORTS, {
      highestVersions: versions,
      minute,
      order: BEST_OF_MINUTE.order,
      // The first report of an hour is also the first of its minute.
      oneOfMinute: read === 'first' ? '' : `LIMIT 1 BY ${minute}`,
    }),
    firstOfHours: read === 'first' ? FIRST_OF_HOURS : '',
  });
}

/** One number for a nominal hour of a station: that of the station, then the hour. No two stations have the same. */
const STATION_HOUR = `bitShiftLeft(toUInt64(CRC32(station)), 32) + ${NOMINAL_HOUR}`;
/** Whether no METAR of this hour comes before, among reports in the order of stations and times. */
const IS_FIRST = `type = 'METAR' AND stationHour !=
        anyLastIf(stationHour, type = 'METAR') OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;

/** Whether the hours before the nominal hour of a report begin on the local day of the report. */
const WITHIN_DAY = [6, 24].map(
  (hours) => `${dayOf(`localHour - ${hours * 3600}`)} = ${dayOf('local')} AS within${hours}`,
);

/** Local time of the nominal hour is needed for groups of hours, and where reports speak of hours before. */
function needsHour(statistics: readonly Statistic[], groups: readonly GroupColumn[]): boolean {
  return (
    groups.some(({ sql }) => sql.includes('localHour')) ||
    statistics.some(({ kind }) => kind === 'highest' || kind === 'lowest' || kind === 'total')
  );
}

function ofTypes(types: readonly string[]): readonly string[] {
  return types.length === 1 ? [`type = '${types[0]}'`] : [];
}

function calendarSql(groups: readonly GroupColumn[], local: LocalTime): string {
  const calendar = groups.filter(({ isCalendar }) => isCalendar);
  if (calendar.length === 0) return WITHOUT_CALENDAR;
  return fillSql(CALENDAR, {
    groups: calendar.map(({ alias }) => alias).join(', '),
    definitions: calendar.map(({ sql, alias }) => `${sql} AS ${alias}`).join(', '),
    local: local.sql('greatest(hourBegin, {begin:UInt32})', 'clock'),
    localHour: listOf(needsHour([], calendar) ? [`${local.sql('hourBegin', 'clock')} AS localHour`] : []),
  });
}

/** Groups of the calendar alone are there without reports too (D45). */
function joinedSql(
  { statistics, sample, condition }: Question,
  columns: RowColumns,
  groups: readonly GroupColumn[],
  values: readonly ValueColumn[],
  sampled: string,
  calendar: string,
): string {
  const results = fillSql(RESULTS, {
    groups: listOf(groups.map(({ alias }) => alias)),
    n: readSampleOf(statistics, sample) === 'marked' && sample !== 'all' ? 'countIf(isFirst)' : 'count()',
    values: listOf(values.map(({ sql, alias }) => `${sql} AS ${alias}`)),
    sample: sampled,
    // Of the reports of an hour the first is judged.
    filter: condition === undefined ? '' : `AND ${columns.addCondition(condition)}`,
  });
  const ofCalendar = groups.filter(({ isCalendar }) => isCalendar);
  const keys = `USING (${['station', ...ofCalendar.map(({ alias }) => alias)].join(', ')})`;
  // The nominal hour of the last reports of a range can be one that does not begin in it. No name of a client is `_results`.
  return ofCalendar.length === groups.length
    ? `(${calendar}) AS _calendar FULL JOIN (${results}) AS _results ${keys}`
    : `(${results}) AS _results LEFT JOIN (${calendar}) AS _calendar ${keys}`;
}

/** Further elements of a list. */
function listOf(elements: readonly string[]): string {
  return elements.map((element) => `, ${element}`).join('');
}

/** A column of the answer: its value over one row of the joined tables, and how JSON and other formats print it. */
type AnswerColumn = {
  readonly name: string;
  readonly sql: string;
  readonly json: string;
  readonly text: string;
};

function answerColumns(
  groups: readonly GroupColumn[],
  values: readonly ValueColumn[],
): readonly AnswerColumn[] {
  return [
    plain('station', "CAST(station, 'String')", 'text'),
    ...groups.map(({ name, print, type }) => plain(name, print, type)),
    plain('n', 'ifNull(n, 0)', 'count'),
    plain('expected', 'ifNull(expected, 0)', 'count'),
    ...values.map(valueColumn),
  ];
}

/** As elements of a SELECT; the names are parameters, because they are text of clients. */
function printedColumns(columns: readonly AnswerColumn[], format: AnswerFormat): readonly string[] {
  if (format === 'json' || format === 'ndjson') return [jsonLine(columns)];
  return columns.map(({ sql, text }, n) => `${format === 'csv' ? text : sql} AS {name${n}:Identifier}`);
}

/** Whole numbers have a sign in formats with types, so that readers can subtract them (D65). */
const SIGNED = { count: 'toInt64', whole: 'toInt32', number: '', text: '', date: '' } as const;

function plain(name: string, sql: string, type: keyof typeof SIGNED): AnswerColumn {
  const isText = type === 'text' || type === 'date';
  return {
    name,
    sql: `${SIGNED[type]}(${sql})`,
    text: sql,
    json: isText ? `toJSONString(${sql})` : `toString(${sql})`,
  };
}

function valueColumn(value: ValueColumn): AnswerColumn {
  const { name, alias, type } = value;
  if (type !== 'time')
    return plain(name, printedValue(value), type === 'count' || type === 'known count' ? 'count' : 'number');
  return {
    name,
    sql: `toDateTime64(${alias}, 3, 'UTC')`,
    text: `toDateTime(${alias}, 'UTC')`,
    json: `formatDateTime(toDateTime(${alias}, 'UTC'), '"%Y-%m-%dT%H:%i:%SZ"')`,
  };
}

/** An object without the values that are absent. The station is always there, and first. */
function jsonLine(columns: readonly AnswerColumn[]): string {
  const members = columns.map(
    ({ json }, n) => `ifNull(concat('${n === 0 ? '{' : ','}"', {name${n}:String}, '":', ${json}), '')`,
  );
  return `concat(${members.join(', ')}, '}')`;
}
