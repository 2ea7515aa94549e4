import type { Select } from '../archive.ts';
import { conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import { type Column, printedSql } from './column.ts';
import { groupColumns } from './groups.ts';
import { GROUPS_OF_MEAN_YEAR, monthsSql, VALUES_OF_MEAN_YEAR } from './normals.ts';
import type { Clock, Question } from './question.ts';
import { localTime, sampledWindow } from './times.ts';
import { readSampleOf, valueColumns } from './values.ts';

const SAMPLE = readStatement('statistics/sample');
const VALUES = readStatement('statistics/values');

/** A statement, and what the rows of its answer have after the station. */
type StatisticsStatement = {
  readonly select: Select;
  /** In the order of the answer. */
  readonly stations: readonly string[];
  readonly groups: readonly Column[];
  readonly values: readonly Column[];
};

/**
 * The one statement of a question. Its rows have the number of the station, the groups, the reports that count, and the
 * values, tab-separated, in the order of stations and groups. The rows of a mean year are those of `MeanYears`.
 *
 *     sample -> groups and values [-> months]
 *
 * @param clocks each station of the question belongs to one
 */
export function statisticsStatement(question: Question, clocks: readonly Clock[]): StatisticsStatement {
  const stations = question.stations.toSorted();
  const isOneStation = stations.length === 1;
  const parameters = new SqlParameters('value');
  const local = localTime(clocks, stations, question);
  const groups = groupColumns(question.groups, parameters);
  const { n, values } = valueColumns(question, parameters);
  const columns = [
    ...groups.map(({ sql }, at) => `${sql} AS _group${at}`),
    `${n} AS n`,
    ...values.map(
      (value, at) => `${question.isMeanYear ? value.sql : printedSql(value, value.sql)} AS _value${at}`,
    ),
  ];
  const sql = fillSql(VALUES, {
    local: local.sql('toUInt32(observedAt)'),
    localHour: local.sql(`${NOMINAL_HOUR} * 3600`),
    station: isOneStation ? 'toUInt16(0)' : NUMBER_OF_STATION,
    columns: columns.join(',\n    '),
    sample: fillSql(SAMPLE, {
      stations: isOneStation
        ? 'station = {stations:Array(String)}[1]'
        : 'station IN {stations:Array(String)}',
      counted: [countedSql(question, parameters), local.isInRange ?? []].flat().join('\n    AND '),
    }),
    groups: ['_station', ...groups.map((_, at) => `_group${at}`)].join(', '),
  });
  return {
    select: {
      query: question.isMeanYear
        ? `${monthsSql(sql, values)}FORMAT JSONCompactEachRow`
        : `${sql}FORMAT TabSeparated`,
      params: { ...sampledWindow(clocks, question), stations, ...parameters.values, ...local.params },
      ofStations: !isOneStation,
    },
    stations,
    groups: question.isMeanYear ? GROUPS_OF_MEAN_YEAR : groups,
    values: question.isMeanYear ? VALUES_OF_MEAN_YEAR : values,
  };
}

const NUMBER_OF_STATION =
  'toUInt16(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0))';

/** Of the reports of an hour the first is judged: it counts where it meets the condition. */
function countedSql({ statistics, sample, types, condition }: Question, parameters: SqlParameters): string {
  const read = readSampleOf(statistics, sample);
  return [
    read === 'first' ? "counts = 'hour'" : "counts != 'no'",
    ...(read !== 'first' && types.length === 1 ? [`type = '${types[0]}'`] : []),
    ...(condition === undefined ? [] : [`(${conditionSql(condition, parameters)})`]),
  ].join('\n    AND ');
}
