import { type Condition, conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { RowFormat } from '../observations/stream/output-formats.ts';
import type { ColumnType, RowColumn } from '../statements/print-rows.ts';
import type { SqlParameters } from '../statements/sql.ts';
import type { GroupColumn } from './calendar.ts';
import { extremeSql, type NumberField, numberFieldOf, numberSql, orderedSql } from './field-sql.ts';
import { printGroups } from './groups.ts';
import type { ConditionFunction, NumberFunction, Question, Sample, Statistic } from './question.ts';
import { resultantSql } from './resultant.ts';

/** SQL over the reports of a group. */
type Value = { readonly sql: string; readonly type: ColumnType };

/** Fields that say how much has fallen: a special report repeats what the next METAR says of the same hour. */
const AMOUNTS: ReadonlySet<string> = new Set(['pcp1h_in', 'snow_inc_in', 'ice1h_in']);

function isOfAllReports(statistic: Statistic, sample: Sample): boolean {
  if (statistic.kind === 'number' && statistic.of === 'sum' && AMOUNTS.has(statistic.field)) return false;
  if (sample !== 'auto') return sample === 'all';
  if (statistic.kind === 'number') return statistic.of === 'min' || statistic.of === 'max';
  if (statistic.kind === 'condition') return statistic.of === 'days' || statistic.of === 'hours';
  return statistic.kind === 'time';
}

/** Which reports the statement reads. `mixed`: all, and some values take only the first METAR of each hour. */
export function readSampleOf({ statistics, sample }: Question) {
  const ofAll = statistics.map((statistic) => isOfAllReports(statistic, sample));
  if (sample === 'all') return ofAll.includes(false) ? 'mixed' : 'all';
  return ofAll.includes(true) ? 'mixed' : 'first';
}

/** How the rows of a group, reports or days, give values in SQL. */
export type GroupRows = {
  /** Which rows count; all of them if it is absent. */
  readonly isCounted?: string | undefined;
  readonly field: (name: string) => NumberField;
  readonly condition: (condition: Condition) => string;
  /** The time of a row as a number below 2³², and how the answer prints such a number. */
  readonly time: string;
  readonly printTime: (number: string) => string;
  readonly timeType: ColumnType;
};

/** The count of reports, and the values of a question. */
export function valuesOf(question: Question, parameters: SqlParameters): readonly [Value, ...Value[]] {
  const isMixed = readSampleOf(question) === 'mixed';
  const read = (statistic: Statistic) =>
    statisticSql(statistic, {
      isCounted: isMixed && !isOfAllReports(statistic, question.sample) ? 'isFirst' : undefined,
      field: numberFieldOf,
      condition: (condition) => conditionSql(condition, parameters),
      time: 'toUInt32(observedAt)',
      printTime: (seconds) => `toDateTime(${seconds}, 'UTC')`,
      timeType: "Nullable(DateTime64(6, 'UTC'))",
    });
  return [read({ kind: 'reports', name: 'n' }), ...question.statistics.map(read)];
}

export function statisticSql(statistic: Statistic, rows: GroupRows): Value {
  const { isCounted } = rows;
  const counted = (value: string) => (isCounted === undefined ? value : `if(${isCounted}, ${value}, NULL)`);
  switch (statistic.kind) {
    case 'reports':
      return {
        sql: `toUInt32(${isCounted === undefined ? 'count()' : `countIf(${isCounted})`})`,
        type: 'Int64',
      };
    case 'number': {
      const { of } = statistic;
      const field = rows.field(statistic.field);
      return number(
        of === 'min' || of === 'max'
          ? extremeSql(field, (value) =>
              isCounted === undefined ? `${of}(${value})` : `${of}If(${value}, ${isCounted})`,
            )
          : NUMBERS[of](counted(numberSql(field))),
      );
    }
    case 'percentile': {
      // Linear interpolation between ranks (type 7). + 0: of -0 and 0, which are equal, either may have the rank.
      const value = counted(numberSql(rows.field(statistic.field)));
      return number(`quantileExactInclusive(${statistic.percent / 100})(${value}) + 0`);
    }
    case 'time': {
      const order = counted(orderSql(statistic.of, orderedSql(rows.field(statistic.field)), rows.time));
      return { sql: rows.printTime(timeSql(statistic.of, `${statistic.of}(${order})`)), type: rows.timeType };
    }
    case 'condition':
      return CONDITIONS[statistic.of](counted(`toNullable(${rows.condition(statistic.condition)})`));
    case 'resultant': {
      const { of, field = 'wspd_kt' } = statistic;
      const sql = resultantSql(of, counted);
      return of === 'speed'
        ? number(numberFieldOf(field).conversion?.exact(sql) ?? sql)
        : { sql, type: of === 'variable' ? COUNT : NUMBER };
    }
  }
}

const NUMBER = 'Nullable(Float64)';
const COUNT = 'Nullable(Int64)';

const number = (sql: string): Value => ({ sql, type: NUMBER });

/**
 * What a statement selects of groups of reports or days, and the columns of the answer over it and its `_n` and `_expected`. Text
 * of JSON has ten significant figures of a number.
 *
 * @param station SQL of its code over the groups
 */
export function groupedColumns(
  { groups, statistics }: Question,
  keys: readonly GroupColumn[],
  values: readonly Value[],
  { station, format }: { readonly station: string; readonly format: RowFormat },
) {
  const isJson = format === 'json' || format === 'ndjson';
  const columns: readonly RowColumn[] = [
    { name: 'station', sql: station, type: 'String' },
    ...printGroups(groups, keys),
    { name: 'n', sql: '_n', type: 'Int64' },
    { name: 'expected', sql: '_expected', type: 'Int64' },
    ...values.map(({ type }, n) => {
      const value = `_value${n}`;
      const places = `9 - floor(log10(if(${value} = 0, 1, abs(${value}))))`;
      const sql = isJson && type === NUMBER ? `round(${value}, toInt16(least(${places}, 18)))` : value;
      return { name: statistics[n]?.name ?? '', sql, type };
    }),
  ];
  const selected = [
    ...keys.map(({ sql }, n) => `,\n        ${sql} AS _group${n}`),
    ...values.map(({ sql }, n) => `,\n        ${sql} AS _value${n}`),
  ];
  return { columns, selected: selected.join(''), keys: keys.map((_, n) => `_group${n}`) };
}

/** The engine gives NaN for the deviation of a single value. */
const NUMBERS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (value: string) => string>> = {
  mean: (value) => `avg(${value})`,
  sum: (value) => `sum(${value})`,
  stddev: (value) => `if(count(${value}) > 1, stddevSampStable(${value}), NULL)`,
};

/** NULL where no row can be judged. */
const CONDITIONS: Readonly<Record<ConditionFunction, (meets: string) => Value>> = {
  share: (meets) => number(`avg(${meets})`),
  count: (meets) => countOf(meets, `countIf(${meets})`),
  days: (meets) => countOf(meets, `uniqExactIf(toDate32(local), ${meets})`),
  hours: (meets) => countOf(meets, `uniqExactIf(${NOMINAL_HOUR}, ${meets})`),
};

function countOf(meets: string, count: string): Value {
  return { sql: `if(count(${meets}) = 0, NULL, toUInt32(${count}))`, type: COUNT };
}

/** Times in the lower half of an integer. */
const LATEST = 0xffff_ffff;

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 */
function orderSql(of: 'max' | 'min', value: string, time: string): string {
  return `toInt64(round(${value} * 10000)) * ${LATEST + 1} + ${of === 'max' ? `${LATEST} - ${time}` : time}`;
}

/** The time of the extreme of such integers. */
function timeSql(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${LATEST})`;
  return of === 'max' ? `${LATEST} - ${time}` : time;
}
