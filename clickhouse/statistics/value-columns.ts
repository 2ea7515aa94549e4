import type { NumberFunction, Statistic } from './question.ts';
import { numberSql, type RowColumns } from './row-columns.ts';

/** A column of the answer with the value of a statistic. */
export type ValueColumn = {
  /** In the answer. */
  readonly name: string;
  /** In the statement, unlike any name of a client: those begin with a letter. */
  readonly alias: string;
  /** Over the sampled reports of a group. */
  readonly sql: string;
  /** `time`: seconds since 1970-01-01T00:00:00Z. `count`: 0, and not NULL, where the group has no report. */
  readonly type: 'number' | 'count' | 'time';
};

export function valueColumns(statistics: readonly Statistic[], columns: RowColumns): readonly ValueColumn[] {
  return statistics.map((statistic, n) => ({
    name: statistic.name,
    alias: `_value${n}`,
    ...columnOf(statistic, columns),
  }));
}

function columnOf(statistic: Statistic, columns: RowColumns): Pick<ValueColumn, 'sql' | 'type'> {
  switch (statistic.kind) {
    case 'reports':
      return { sql: 'toUInt32(count())', type: 'count' };
    case 'number':
      return { sql: NUMBERS[statistic.of](columns.add(numberSql(statistic.field))), type: 'number' };
    case 'percentile': {
      const column = columns.add(numberSql(statistic.field));
      // Linear interpolation between ranks (type 7).
      return { sql: `quantileExactInclusive(${statistic.percent / 100})(${column})`, type: 'number' };
    }
    case 'time':
      return {
        sql: timeSql(statistic.of, columns.add(orderOf(statistic.of, statistic.field))),
        type: 'time',
      };
    case 'condition': {
      const column = columns.addCondition(statistic.condition);
      switch (statistic.of) {
        case 'share':
          return { sql: `avg(${column})`, type: 'number' };
        case 'count':
          return { sql: `toUInt32(countIf(${column}))`, type: 'count' };
        case 'days':
          return { sql: `toUInt32(uniqExactIf(toDate32(local), ifNull(${column}, 0)))`, type: 'count' };
      }
    }
  }
}

const NUMBERS: Readonly<Record<NumberFunction, (column: string) => string>> = {
  mean: (column) => `avg(${column})`,
  min: (column) => `min(${column})`,
  max: (column) => `max(${column})`,
  sum: (column) => `sum(${column})`,
  // Of one value it is not a number.
  stddev: (column) => `if(count(${column}) > 1, stddevSampStable(${column}), NULL)`,
};

/** Seconds in the lower half of an integer. */
const SECONDS = 0xffff_ffff;

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 */
function orderOf(of: 'max' | 'min', field: string): string {
  const time = of === 'max' ? `${SECONDS} - toUInt32(observedAt)` : 'toUInt32(observedAt)';
  return `toInt64(round(${numberSql(field)} * 10000)) * ${SECONDS + 1} + ${time}`;
}

function timeSql(of: 'max' | 'min', column: string): string {
  const time = `bitAnd(${of}(${column}), ${SECONDS})`;
  return of === 'max' ? `${SECONDS} - ${time}` : time;
}
