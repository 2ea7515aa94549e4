import { type Condition, conditionSql } from '../conditions/condition.ts';
import { printedNumber } from '../model/field-columns.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { RowFormat } from '../observations/stream/output-formats.ts';
import type { ColumnType, RowColumn } from '../statements/print-rows.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { inUnitOf, isTemperature, numberSql, orderedNumber, storedField, valueSql } from './field-sql.ts';
import { calendarUnits } from './groups.ts';
import type { ConditionFunction, NumberFunction, Question, Sample, Statistic } from './question.ts';
import { resultantSql } from './resultant.ts';

/** Which reports the statement reads. `mixed`: all, and some values take only the first METAR of each hour. */
type ReadSample = 'first' | 'all' | 'mixed';

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

/** For all statistics of a question together, and its count of reports. */
export function readSampleOf({ statistics, sample }: Question): ReadSample {
  const ofAll = statistics.map((statistic) => isOfAllReports(statistic, sample));
  if (sample === 'all') return ofAll.includes(false) ? 'mixed' : 'all';
  return ofAll.includes(true) ? 'mixed' : 'first';
}

export function countOfReports(question: Question): string {
  return countSql(readSampleOf(question) === 'mixed' && question.sample !== 'all');
}

/** How the rows of a group, reports or days, give values in SQL. */
export type GroupRows = {
  readonly count: string;
  /** A value of the rows that count; NULL of others. */
  readonly counted: (value: string) => string;
  /** The number that answers print. */
  readonly number: (field: string) => string;
  /** The same number where it is compared: -0 is below 0. */
  readonly ordered: (field: string) => string;
  readonly extreme: (of: 'min' | 'max', field: string) => string;
  readonly condition: (condition: Condition) => string;
  readonly conditions: typeof CONDITIONS;
  /** The time of a row as a number below 2³², and how the answer prints such a number. */
  readonly time: string;
  readonly printTime: (number: string) => string;
  readonly timeType: ColumnType;
};

export function valuesOf(question: Question, parameters: SqlParameters): readonly Value[] {
  const isMixed = readSampleOf(question) === 'mixed';
  const isOfOneDay = calendarUnits(question.groups).includes('date');
  return question.statistics.map((statistic) => {
    const onlyFirst = isMixed && !isOfAllReports(statistic, question.sample);
    return statisticSql(statistic, {
      count: countSql(onlyFirst),
      counted: (value) => (onlyFirst ? `if(isFirst, ${value}, NULL)` : value),
      number: numberSql,
      ordered: (field) => orderedNumber(storedField(field), valueSql(storedField(field))),
      extreme: (of, field) => extremeSql(of, field, onlyFirst),
      condition: (condition) => conditionSql(condition, parameters),
      conditions: isOfOneDay ? CONDITIONS_OF_DAY : CONDITIONS,
      time: 'toUInt32(observedAt)',
      printTime: (seconds) => `toDateTime(${seconds}, 'UTC')`,
      timeType: "Nullable(DateTime64(6, 'UTC'))",
    });
  });
}

export function statisticSql(statistic: Statistic, rows: GroupRows): Value {
  const { counted } = rows;
  switch (statistic.kind) {
    case 'reports':
      return { sql: rows.count, type: 'Int64' };
    case 'number': {
      const { of, field } = statistic;
      return number(
        of === 'min' || of === 'max' ? rows.extreme(of, field) : NUMBERS[of](counted(rows.number(field))),
      );
    }
    case 'percentile':
      // Linear interpolation between ranks (type 7). + 0: of -0 and 0, which are equal, either may have the rank.
      return number(
        `quantileExactInclusive(${statistic.percent / 100})(${counted(rows.number(statistic.field))}) + 0`,
      );
    case 'time': {
      const order = counted(orderSql(statistic.of, rows.ordered(statistic.field), rows.time));
      return { sql: rows.printTime(timeSql(statistic.of, `${statistic.of}(${order})`)), type: rows.timeType };
    }
    case 'condition':
      return rows.conditions[statistic.of](counted(`toNullable(${rows.condition(statistic.condition)})`));
    case 'resultant': {
      const { of, field = 'wspd_kt' } = statistic;
      const sql = resultantSql(of, counted);
      return of === 'speed'
        ? number(inUnitOf(field, sql))
        : { sql, type: of === 'variable' ? COUNT : NUMBER };
    }
  }
}

const NUMBER = 'Nullable(Float64)';
const COUNT = 'Nullable(Int64)';

const number = (sql: string): Value => ({ sql, type: NUMBER });

/** The columns of statistics whose values are `_value0` and so on. Text of JSON has ten significant figures of a number. */
export function printValues(
  statistics: readonly Statistic[],
  values: readonly Value[],
  format: RowFormat,
): readonly RowColumn[] {
  const isJson = format === 'json' || format === 'ndjson';
  return values.map(({ type }, n) => {
    const value = `_value${n}`;
    const places = `9 - floor(log10(if(${value} = 0, 1, abs(${value}))))`;
    const sql = isJson && type === NUMBER ? `round(${value}, toInt16(least(${places}, 18)))` : value;
    return { name: statistics[n]?.name ?? '', sql, type };
  });
}

function countSql(onlyFirst: boolean): string {
  return onlyFirst ? 'toUInt32(countIf(isFirst))' : 'toUInt32(count())';
}

/** The engine gives NaN for the deviation of a single value. */
const NUMBERS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (value: string) => string>> = {
  mean: (value) => `avg(${value})`,
  sum: (value) => `sum(${value})`,
  stddev: (value) => `if(count(${value}) > 1, stddevSampStable(${value}), NULL)`,
};

/** NULL where no row can be judged. */
export const CONDITIONS: Readonly<Record<ConditionFunction, (meets: string) => Value>> = {
  share: (meets) => number(`avg(${meets})`),
  count: (meets) => countOf(meets, `countIf(${meets})`),
  days: (meets) => countOf(meets, `uniqExactIf(toDate32(local), ${meets})`),
  hours: (meets) => countOf(meets, `uniqExactIf(${NOMINAL_HOUR}, ${meets})`),
};

/** The same in a group of one day, which has no set of days, and up to 26 hours: a bit for each. */
const CONDITIONS_OF_DAY: typeof CONDITIONS = {
  ...CONDITIONS,
  days: (meets) => ({ sql: `toUInt32(max(${meets}))`, type: COUNT }),
  hours: (meets) => ({
    sql: `toUInt32(bitCount(groupBitOr(${meets} * bitShiftLeft(toUInt64(1), ${NOMINAL_HOUR} % 64))))`,
    type: COUNT,
  }),
};

function countOf(meets: string, count: string): Value {
  return { sql: `if(count(${meets}) = 0, NULL, toUInt32(${count}))`, type: COUNT };
}

/** The least or greatest value; only the result becomes a double, not each value. */
function extremeSql(of: 'min' | 'max', field: string, onlyFirst: boolean): string {
  const value = valueSql(field);
  const extreme = orderedNumber(field, onlyFirst ? `${of}If(${value}, isFirst)` : `${of}(${value})`);
  return isTemperature(field) ? printedNumber('Temperature', extreme) : extreme;
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
