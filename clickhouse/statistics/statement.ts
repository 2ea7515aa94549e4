import type { Select } from '../archive.ts';
import { conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import { type Column, printedSql } from './column.ts';
import {
  hasPresence,
  isCompleteSql,
  PRESENCE_COLUMNS,
  PRESENCE_OF_REPORTS,
  presenceSql,
} from './complete-days.ts';
import { groupColumns, isOfOneDay } from './groups.ts';
import { GROUPS_OF_MEAN_YEAR, monthsSql, questionOfDays, VALUES_OF_MEAN_YEAR } from './normals.ts';
import { OBSERVED } from './order.ts';
import { groupNames, type PeriodSource, type RowSql } from './period-source.ts';
import { PERIODS, withoutRows } from './periods.ts';
import type { Clock, Question } from './question.ts';
import type { Periods } from './read-periods.ts';
import { localTime, sampledWindow } from './times.ts';
import { readSampleOf, type Value, valueColumns } from './values.ts';

const SAMPLE = readStatement('statistics/sample');
const VALUES = readStatement('statistics/values');
const MERGED = readStatement('statistics/merged');

/** A statement, and what the rows of its answer have after the station. */
type StatisticsStatement = {
  readonly select: Select;
  /** In the order of the answer. */
  readonly stations: readonly string[];
  readonly groups: readonly Column[];
  readonly values: readonly Column[];
};

/** A question, and what its statements share. */
export type StatementSource = PeriodSource & { readonly n: string; readonly values: readonly Value[] };

/** @param clocks each station of the question belongs to one */
export function sourceOf(asked: Question, clocks: readonly Clock[]): StatementSource {
  const question = asked.isMeanYear ? questionOfDays(asked) : asked;
  const stations = question.stations.toSorted();
  const parameters = new SqlParameters('value');
  const local = localTime(clocks, stations, question);
  const isOneStation = stations.length === 1;
  const groups = groupColumns(question.groups, parameters);
  const sampleOf = (counted: string) => (before: number, after: number) =>
    fillSql(SAMPLE, {
      stations: isOneStation
        ? 'station = {stations:Array(String)}[1]'
        : 'station IN {stations:Array(String)}',
      before: `${before}`,
      after: `${after}`,
      counted,
    }).trimEnd();
  const values = valueColumns(question, parameters);
  const condition = question.condition && conditionSql(question.condition, parameters);
  return {
    question,
    clocks,
    stations,
    station: isOneStation ? 'toUInt16(0)' : NUMBER_OF_STATION,
    sample: sampleOf(countedSql(question)),
    hourlySample: sampleOf("counts = 'hour'"),
    ...(condition !== undefined && { condition }),
    local,
    inRange: (time) => `${time} >= ${local.range.from} AND ${time} < ${local.range.to}`,
    groups,
    isOfDays: question.groups.every((group) => group.kind === 'calendar' && group.unit !== 'hour'),
    isOfOneDay: isOfOneDay(question.groups),
    params: { ...sampledWindow(clocks, question), stations, ...parameters.values, ...local.params },
    ...values,
  };
}

/**
 * The statement of a question. Its rows have the number of the station, the groups, the reports that count, and the values,
 * tab-separated, in the order of stations and groups; with `days=complete` also whether enough is
 * known of the day. The rows of a mean year are those of `MeanYears`.
 *
 *     sample -> groups and values [+ those of longer times] [-> months]
 */
export function statisticsStatement(source: StatementSource, periods: Periods): StatisticsStatement {
  const { question, stations, groups, n, values } = source;
  const isOfCompleteDays = question.days === 'complete';
  const hasRows = periods.kinds.length > 0 || (isOfCompleteDays && !hasPresence(source));
  const sql = hasRows
    ? mergedSql(source, periods)
    : valuesSql(source, [
        ...groups.map(({ sql }, at) => `${sql} AS _group${at}`),
        `${n} AS n`,
        ...values.map(({ of, merge, ...value }, at) => {
          const whole = of === undefined ? value.sql : withoutRows(merge?.(value.sql) ?? value.sql, of);
          return `${printed(question, value, whole)} AS _value${at}`;
        }),
        // Last, and no column of the answer.
        ...(isOfCompleteDays ? [`${isCompleteSql(false)} AS _isComplete`] : []),
      ]);
  const ordered = `${sql}ORDER BY ${['_station', ...groupNames(groups)].join(', ')}\nFORMAT TabSeparated`;
  return {
    select: {
      query: question.isMeanYear ? `${monthsSql(sql, values, question)}FORMAT JSONCompactEachRow` : ordered,
      params: { ...source.params, ...periods.neighbors },
      ofStations: stations.length > 1,
      ...(periods.file && { file: periods.file }),
    },
    stations,
    groups: question.isMeanYear ? GROUPS_OF_MEAN_YEAR : groups,
    values: question.isMeanYear ? VALUES_OF_MEAN_YEAR : values,
  };
}

const NUMBER_OF_STATION =
  'toUInt16(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0))';

/** Only the first report of an hour is judged: it counts where it meets the condition. */
function countedSql({ statistics, sample, types }: Question): string {
  const read = readSampleOf(statistics, sample);
  const ofTypes = read !== 'first' && types.length === 1 ? `\n    AND type = '${types[0]}'` : '';
  return `${read === 'first' ? "counts = 'hour'" : "counts != 'no'"}${ofTypes}`;
}

/** The groups of reports and their values. */
function valuesSql(source: PeriodSource, columns: readonly string[]): string {
  const { local, station, sample, condition, inRange, groups } = source;
  const conditions = [condition ?? [], local.hasRanges ? inRange(OBSERVED) : []].flat();
  return fillSql(VALUES, {
    local: local.sql(OBSERVED),
    localHour: local.sql(`${NOMINAL_HOUR} * 3600`),
    station,
    columns: columns.join(',\n    '),
    sample: [sample(0, 0), ...conditions.map((each) => `(${each})`)].join('\n    AND '),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

/** The same with rows of what reports say of a longer time. A column of one kind of rows is NULL in the others. */
function mergedSql(source: StatementSource, periods: Periods): string {
  const { question, n, values, groups } = source;
  const kinds = [...new Set(values.flatMap(({ of }) => of ?? []))];
  const own = values.map((_, at) => `_own${at}`);
  const isOfCompleteDays = question.days === 'complete';
  const isOfReports = hasPresence(source);
  const columns = [
    '_n',
    ...own,
    ...kinds.flatMap((kind) => Object.keys(PERIODS[kind].columns)),
    ...(isOfCompleteDays ? PRESENCE_COLUMNS : []),
  ];
  const row: RowSql = (groups, parts) => [
    ...groups.map((sql, at) => `${sql} AS _group${at}`),
    ...columns.map((name) => `${parts[name] ?? 'NULL'} AS ${name}`),
  ];
  const ofReports = row(
    groups.map(({ sql }) => sql),
    {
      _n: n,
      ...Object.fromEntries(values.map(({ sql }, at) => [`_own${at}`, sql])),
      ...Object.fromEntries(
        kinds
          .flatMap((kind) => Object.entries(PERIODS[kind].ofReports))
          .map(([name, sql]) => [name, `max(${sql})`]),
      ),
      ...(isOfCompleteDays && isOfReports && PRESENCE_OF_REPORTS),
    },
  );
  const names = groupNames(groups);
  const inFile = periods.kinds.flatMap((kind) => Object.keys(PERIODS[kind].columns));
  const ofPeriods = row(names, Object.fromEntries(inFile.map((name) => [name, name])));
  const rows = [
    valuesSql(source, ofReports),
    ...(periods.file ? [`SELECT _station, ${ofPeriods.join(', ')} FROM ${periods.file.name}\n`] : []),
    ...(isOfCompleteDays && !isOfReports ? [presenceSql(source, row)] : []),
  ];
  const merged = values.map((value, at) =>
    printed(question, value, value.merge?.(`any(_own${at})`) ?? `any(_own${at})`),
  );
  return fillSql(MERGED, {
    columns: [
      ...groupNames(groups),
      'toUInt32(ifNull(sum(_n), 0)) AS n',
      ...merged.map((sql, at) => `${sql} AS _value${at}`),
      // Last, and no column of the answer.
      ...(isOfCompleteDays ? [`${isCompleteSql(true)} AS _isComplete`] : []),
    ].join(',\n    '),
    rows: rows.join('UNION ALL\n'),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

/** A mean year is made of values as they are compared. */
function printed({ isMeanYear }: Question, value: Column, sql: string): string {
  return isMeanYear ? sql : printedSql(value, sql);
}
