import { conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { GAUGE_HOURS, IS_WET, isOfGauges, totalSql } from './amounts.ts';
import { type Column, isTemperature, numberSql, orderedNumber, valueSql } from './column.ts';
import { isOfOneDay } from './groups.ts';
import { OBSERVED, orderSql, timeOf, windOf, windOrderSql } from './order.ts';
import type { PeriodKind } from './periods.ts';
import type { ConditionFunction, Group, NumberFunction, Question, Sample, Statistic } from './question.ts';
import { resultantColumn } from './resultant.ts';

/** Which reports the statement reads: the first METARs of hours, all reports, or all, of which some values take the first METARs. */
export type ReadSample = 'first' | 'all' | 'mixed';

/** Fields that say how much has fallen: a special report repeats what the next METAR says of the same hour. */
const AMOUNTS: ReadonlySet<string> = new Set(['snow_inc_in', 'ice1h_in']);

/** The sample of a statistic: of the first METARs of hours, or of every report. */
function isOfAllReports(statistic: Statistic, sample: Sample): boolean {
  if (isOfGauges(statistic)) return true;
  if (statistic.kind === 'number' && statistic.of === 'sum' && AMOUNTS.has(statistic.field)) return false;
  if (sample !== 'auto') return sample === 'all';
  switch (statistic.kind) {
    case 'number':
      return statistic.of === 'min' || statistic.of === 'max';
    case 'condition':
      return statistic.of === 'days' || statistic.of === 'hours';
    case 'reports':
    case 'percentile':
    case 'resultant':
      return false;
    default:
      return true;
  }
}

/** What all statistics of a question together, and its count of reports, need. */
export function readSampleOf(statistics: readonly Statistic[], sample: Sample): ReadSample {
  const ofAll = statistics.map((statistic) => isOfAllReports(statistic, sample));
  if (sample === 'all') return ofAll.includes(false) ? 'mixed' : 'all';
  return ofAll.includes(true) ? 'mixed' : 'first';
}

/** A value of which `sql` is the part that the reports of a group give. */
export type Value = Column & {
  /** Where rows of `periods.sql` have parts of it: all of it, from the part of the reports. */
  readonly merge?: (own: string) => string;
  readonly of?: PeriodKind;
  readonly onlyFirst: boolean;
};

/** How many reports count in a group, and the values of its statistics. */
export function valueColumns(
  { statistics, sample, groups }: Question,
  parameters: SqlParameters,
): { readonly n: string; readonly values: readonly Value[] } {
  const read = readSampleOf(statistics, sample);
  const values = statistics.map((statistic) => {
    const onlyFirst = read === 'mixed' && !isOfAllReports(statistic, sample);
    return { name: statistic.name, onlyFirst, ...columnOf(statistic, parameters, onlyFirst, groups) };
  });
  return { n: countSql(read === 'mixed' && sample !== 'all'), values };
}

/**
 * @param onlyFirst the value of other reports does not count
 * @param groups of the question
 */
function columnOf(
  statistic: Statistic,
  parameters: SqlParameters,
  onlyFirst: boolean,
  groups: readonly Group[],
): Omit<Value, 'name' | 'onlyFirst'> {
  const counted = (value: string) => (onlyFirst ? `if(isFirst, ${value}, NULL)` : value);
  const first = onlyFirst ? 'isFirst' : undefined;
  switch (statistic.kind) {
    case 'reports':
      return { sql: countSql(onlyFirst), merge: (own) => `ifNull(${own}, 0)`, type: 'Int64' };
    case 'number': {
      const { of, field } = statistic;
      if (isOfGauges(statistic))
        return { sql: 'NULL', merge: () => GAUGE_HOURS, of: 'amounts', type: NUMBER };
      return of === 'min' || of === 'max'
        ? extreme(field, extremeSql(of, field, first))
        : { sql: NUMBERS[of](counted(numberSql(field))), type: NUMBER };
    }
    case 'percentile':
      // Linear interpolation between ranks (type 7). + 0: of -0 and 0, which are equal, either may have the rank.
      return {
        sql: `quantileExactInclusive(${statistic.percent / 100})(${counted(numberSql(statistic.field))}) + 0`,
        type: NUMBER,
      };
    case 'time': {
      const { of, field } = statistic;
      return {
        sql: timeOf(of, `${of}(${counted(orderSql(of, orderedNumber(field, valueSql(field)), OBSERVED))})`),
        type: TIME,
      };
    }
    case 'condition': {
      const { of, condition } = statistic;
      const meets = counted(`toNullable(${conditionSql(condition, parameters)})`);
      return (isOfOneDay(groups) ? CONDITIONS_OF_DAY : CONDITIONS)[of](meets);
    }
    case 'resultant':
      return resultantColumn(statistic.of, counted);
    case 'highest':
    case 'time_of_highest':
      if (statistic.field === 'wgst_kt') {
        const gust = `max(${counted(windOrderSql(valueSql('wgst_kt'), OBSERVED))})`;
        const greatest = (own: string) => `greatest(${own}, max(_peak))`;
        return statistic.kind === 'highest'
          ? { sql: gust, merge: (own) => windOf(greatest(own)), of: 'peaks', type: NUMBER }
          : { sql: gust, merge: (own) => timeOf('max', greatest(own)), of: 'peaks', type: TIME };
      }
      return {
        ...extreme(statistic.field, extremeSql('max', statistic.field, first)),
        merge: (own) => `greatest(${own}, max(_highest))`,
        of: 'extremes',
      };
    case 'lowest':
      return {
        ...extreme(statistic.field, extremeSql('min', statistic.field, first)),
        merge: (own) => `least(${own}, min(_lowest))`,
        of: 'extremes',
      };
    case 'total':
      return {
        sql: IS_WET,
        merge: (isWet) => totalSql(isWet, groups, statistic.isOfMonth),
        of: 'amounts',
        type: NUMBER,
      };
  }
}

const NUMBER = 'Nullable(Float64)';
const COUNT = 'Nullable(Int64)';
const TIME = "Nullable(DateTime64(3, 'UTC'))";

function extreme(field: string, sql: string): Omit<Column, 'name'> {
  return { sql, type: NUMBER, isTemperature: isTemperature(field) };
}

function countSql(onlyFirst: boolean): string {
  return onlyFirst ? 'toUInt32(countIf(isFirst))' : 'toUInt32(count())';
}

const NUMBERS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (column: string) => string>> = {
  mean: (column) => `avg(${column})`,
  sum: (column) => `sum(${column})`,
  // The engine gives NaN for a single value.
  stddev: (column) => `if(count(${column}) > 1, stddevSampStable(${column}), NULL)`,
};

/** NULL where no report can be judged. */
const CONDITIONS: Readonly<Record<ConditionFunction, (meets: string) => Omit<Column, 'name'>>> = {
  share: (meets) => ({ sql: `avg(${meets})`, type: NUMBER }),
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

function countOf(meets: string, count: string): Omit<Column, 'name'> {
  return { sql: `if(count(${meets}) = 0, NULL, toUInt32(${count}))`, type: COUNT };
}

/** The least or greatest value of the rows that meet a condition; only the result becomes a double, not each value. */
function extremeSql(of: 'min' | 'max', field: string, condition?: string): string {
  const value = valueSql(field);
  return orderedNumber(
    field,
    condition === undefined ? `${of}(${value})` : `${of}If(${value}, ${condition})`,
  );
}
