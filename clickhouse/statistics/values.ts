import { type Condition, conditionSql } from '../conditions/condition.ts';
import { type ConditionFields, FIELDS_FOR_CONDITIONS, fieldOf } from '../conditions/fields.ts';
import { doubleOf, type FieldColumn } from '../model/field-columns.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { Conversion } from '../model/units.ts';
import type { ColumnType, RowColumn } from '../statements/print-rows.ts';
import { SqlParameters } from '../statements/sql.ts';
import { groupColumns } from './groups.ts';
import type { ConditionFunction, NumberFunction, Question, Statistic } from './question.ts';

/** SQL over the reports of a group. */
type Value = { readonly sql: string; readonly type: ColumnType };

/** Amounts in an hour, in any unit. Sums count only the hourly sample, because a special report repeats what the next METAR has. */
const AMOUNT = /^(pcp1h|snow_inc|ice1h)_/;

/** A field with numbers, which can be in another unit than the stored one. */
type NumberField = {
  readonly stored: Pick<FieldColumn, 'sql' | 'type' | 'unit'>;
  readonly conversion: Conversion | undefined;
};

/** @param field a field of reports with numbers */
function numberFieldOf(field: string): NumberField {
  const { of, conversion, ...column } = NAMED_COLUMNS.get(field) as FieldColumn;
  return { stored: of ?? column, conversion };
}

/** SQL: the number that the record prints, before a converted one is rounded. */
function numberSql({ stored, conversion }: NumberField): string {
  const number = doubleOf(stored, stored.sql);
  return conversion?.exact(number) ?? number;
}

/** How the rows that statistics are about, reports or days, give values in SQL. */
export type StatisticRows = {
  readonly field: (name: string) => NumberField;
  readonly conditionFields: ConditionFields;
  /** SQL: the rows that a statistic counts; undefined for all. */
  readonly counted: (statistic: Statistic) => string | undefined;
  /** The time of a row as a number below 2³², and how the answer prints such a number. */
  readonly time: string;
  readonly printTime: (number: string) => string;
  readonly timeType: ColumnType;
};

export function reportRows({ statistics, sample, types }: Question) {
  const isOfAll = (statistic: Statistic) => {
    const { kind } = statistic;
    if (kind === 'number' && statistic.of === 'sum' && AMOUNT.test(statistic.field)) return false;
    if (sample !== 'auto') return sample === 'all';
    if (kind === 'number') return statistic.of === 'min' || statistic.of === 'max';
    return kind === 'time' || (kind === 'condition' && ['days', 'hours'].includes(statistic.of));
  };
  // Even if all reports are read, some statistics may count only the first METAR of each hour.
  const readsAll = sample === 'all' || statistics.some(isOfAll);
  const rows: StatisticRows = {
    field: numberFieldOf,
    conditionFields: FIELDS_FOR_CONDITIONS,
    counted: (statistic) => (readsAll && !isOfAll(statistic) ? 'isFirst' : undefined),
    time: 'toUInt32(observedAt)',
    printTime: (seconds) => `toDateTime(${seconds}, 'UTC')`,
    timeType: "Nullable(DateTime64(6, 'UTC'))",
  };
  const ofType = types.length === 1 ? `\n        AND type = '${types[0]}'` : '';
  /** SQL: whether the statement reads a report. For the hourly sample, the condition is judged on the first METAR of an hour. */
  const isRead = readsAll ? `counts != 'no'${ofType}` : "counts = 'hour'";
  return { rows, isRead };
}

/**
 * The parts of a statement: what it selects for each group of rows, SQL for the condition of the question, and the columns of the
 * answer, which are SQL over the groups with `_n` and `_expected`.
 *
 * @param station SQL over the groups for the code of the station
 */
export function groupedStatement(question: Question, rows: StatisticRows, station: string) {
  const { statistics, groups, condition } = question;
  const parameters = new SqlParameters('value');
  const meets = (each: Condition) => conditionSql(each, parameters, rows.conditionFields);
  const groupKeys = groupColumns(groups, parameters);
  const values = statistics.map((statistic) => statisticSql(statistic, rows, meets));
  const columns: readonly RowColumn[] = [
    { name: 'station', sql: station, type: 'String' },
    ...groupKeys.flatMap(({ printed }) => printed),
    { name: 'n', sql: '_n', type: 'Int64' },
    { name: 'expected', sql: '_expected', type: 'Int64' },
    ...values.map(({ type }, n) => ({ name: statistics[n]?.name ?? '', sql: `_value${n}`, type })),
  ];
  const selected = [
    ...groupKeys.map(({ sql }, n) => `,\n        ${sql} AS _group${n}`),
    ...values.map(({ sql }, n) => `,\n        ${sql} AS _value${n}`),
  ];
  return {
    columns,
    selected: selected.join(''),
    groupKeys,
    keys: groupKeys.map((_, n) => `_group${n}`),
    count: statisticSql({ kind: 'reports', name: 'n' }, rows, meets).sql,
    meets: condition && meets(condition),
    params: parameters.values,
  };
}

function statisticSql(
  statistic: Statistic,
  rows: StatisticRows,
  meets: (condition: Condition) => string,
): Value {
  const isCounted = rows.counted(statistic);
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
      if (of !== 'min' && of !== 'max') return number(NUMBER_FUNCTIONS[of](counted(numberSql(field))));
      // Only the result is converted, not each value.
      const extreme = doubleOf(field.stored, `${of}(${counted(field.stored.sql)})`);
      return number(field.conversion?.printed(extreme) ?? extreme);
    }
    case 'percentile': {
      // Linear interpolation between ranks (type 7). + 0 turns -0 into 0: they are equal, so either may have the rank.
      const value = counted(numberSql(rows.field(statistic.field)));
      return number(`quantileExactInclusive(${statistic.percent / 100})(${value}) + 0`);
    }
    case 'time': {
      const { stored } = rows.field(statistic.field);
      // Stored values tell -0 from 0.
      const value = stored.type === 'Temperature' ? `toFloat64(${stored.sql})` : doubleOf(stored, stored.sql);
      const order = counted(orderSql(statistic.of, value, rows.time));
      return { sql: rows.printTime(timeSql(statistic.of, `${statistic.of}(${order})`)), type: rows.timeType };
    }
    case 'condition':
      return CONDITIONS[statistic.of](counted(`toNullable(${meets(statistic.condition)})`));
    case 'resultant':
      return resultant(statistic, counted);
  }
}

const number = (sql: string): Value => ({ sql, type: 'Nullable(Float64)' });

/** The engine gives NaN for the deviation of a single value. */
const NUMBER_FUNCTIONS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (value: string) => string>> =
  {
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
  return { sql: `if(count(${meets}) = 0, NULL, toUInt32(${count}))`, type: 'Nullable(Int64)' };
}

/** The greatest time in the lower 32 bits of an integer. */
const LATEST = 0xffff_ffff;

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 */
function orderSql(of: 'max' | 'min', value: string, time: string): string {
  return `toInt64(round(${value} * 10000)) * ${LATEST + 1} + ${of === 'max' ? `${LATEST} - ${time}` : time}`;
}

function timeSql(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${LATEST})`;
  return of === 'max' ? `${LATEST} - ${time}` : time;
}

/*
 * The mean wind vector (WMO-No. 8, volume I, chapter 5): of 350 and 010 degrees the mean direction is 0, not 180. Calm is a vector
 * of length 0. A wind of variable direction has no vector (D66).
 */

const [SPEED, DIRECTION] = [numberSql(numberFieldOf('wspd_kt')), numberSql(numberFieldOf('wdir'))];

/** The part of the wind toward north or east; NULL where it is not known. */
function part(of: 'sin' | 'cos'): string {
  return `if(${SPEED} = 0, 0, ${SPEED} * ${of}(radians(${DIRECTION})))`;
}

/**
 * @param counted SQL of a value of the rows that count
 * @returns a direction from 0 to below 360 degrees, absent where the winds cancel out; a speed; or how many winds were of variable
 * direction
 */
function resultant(
  { of, field = 'wspd_kt' }: Extract<Statistic, { kind: 'resultant' }>,
  counted: (value: string) => string,
): Value {
  if (of === 'variable') {
    const isVariable = counted(`toNullable(${fieldOf('wdir_vrb').sql} AND ${SPEED} > 0)`);
    return countOf(counted(SPEED), `countIf(${isVariable})`);
  }
  // Sines of opposite winds add up to about 1e-16. + 0: no direction is -0.
  const [east, north] = (['sin', 'cos'] as const).map((each) => `round(avg(${counted(part(each))}), 12) + 0`);
  const length = `(hypot((${east}) AS _east, (${north}) AS _north) AS _length)`;
  if (of === 'speed') return number(NAMED_COLUMNS.get(field)?.conversion?.exact(length) ?? length);
  const degrees = '(degrees(atan2(_east, _north)) AS _degrees)';
  return number(`if(${length} = 0, NULL, if(${degrees} < 0, _degrees + 360, _degrees))`);
}
