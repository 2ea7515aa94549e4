import { conditionSql } from '../conditions/condition.ts';
import { printedNumber } from '../model/field-columns.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { type GroupAmounts, IS_WET, isOfGauges, TRACE, totalOf } from './amounts.ts';
import {
  ABSENT,
  type Cell,
  type Column,
  cellOf,
  isTemperature,
  numberOf,
  numberSql,
  orderedNumber,
  printTemperature,
  valueSql,
} from './column.ts';
import { isOfOneDay } from './groups.ts';
import type { ConditionFunction, NumberFunction, Question, Sample, Statistic } from './question.ts';
import { resultantSql } from './resultant.ts';

/** Which reports the statement reads: the first METARs of hours, all reports, or all, of which some values take the first METARs. */
type ReadSample = 'first' | 'all' | 'mixed';

/** What reports say of a longer time than their own, by fields. */
export const PERIOD_COLUMNS = {
  amounts: ['pcp1h_in', 'pcp6h_in', 'pcp24h_in'],
  extremes: ['maxt6_c', 'mint6_c', 'maxt24_c', 'mint24_c'],
  peaks: ['pk_wspd_kt', 'pk_time'],
} as const;
export type PeriodKind = keyof typeof PERIOD_COLUMNS;

/** SQL over a report: whether it has something of a kind. It reads no more of the fields than where they are NULL. */
export function isGivenSql(kind: PeriodKind): string {
  return `NOT (${PERIOD_COLUMNS[kind].map((field) => `${field}.null`).join(' AND ')})`;
}

/** What a group has of it. */
export type GroupPeriods = {
  /** Of six and 24 hours, °C. */
  highest?: number | undefined;
  lowest?: number | undefined;
  /** The peak wind with its time, as `windOrderSql` has them. */
  peak?: number;
  amounts?: GroupAmounts;
};

/** A value of a group: SQL over its reports, or what is made of that and of longer times. */
export type Value = Column & {
  readonly sql?: string;
  readonly joined?: {
    readonly of: PeriodKind;
    /** SQL over the reports of a group. */
    readonly parts: readonly string[];
    readonly join: (parts: readonly Cell[], periods: GroupPeriods, isMeasured: () => boolean) => Cell;
  };
};
/** All but its name. */
type Definition = Omit<Value, 'name'>;

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

/** Whether a value takes the first METARs alone of reports of which others count too. */
export function isOfFirst(statistic: Statistic, { statistics, sample }: Question): boolean {
  return readSampleOf(statistics, sample) === 'mixed' && !isOfAllReports(statistic, sample);
}

/** The reports of a group that count. */
export function countOfReports({ statistics, sample }: Question): string {
  return countSql(readSampleOf(statistics, sample) === 'mixed' && sample !== 'all');
}

export function valuesOf(question: Question, parameters: SqlParameters): readonly Value[] {
  return question.statistics.map((statistic) => ({
    name: statistic.name,
    ...definitionOf(statistic, question, parameters),
  }));
}

function definitionOf(statistic: Statistic, question: Question, parameters: SqlParameters): Definition {
  const onlyFirst = isOfFirst(statistic, question);
  const counted = (value: string) => (onlyFirst ? `if(isFirst, ${value}, NULL)` : value);
  const first = onlyFirst ? 'isFirst' : undefined;
  switch (statistic.kind) {
    case 'reports':
      return { sql: countSql(onlyFirst), type: 'Int64' };
    case 'number': {
      const { of, field } = statistic;
      if (isOfGauges(statistic)) return GAUGE_HOURS;
      if (of !== 'min' && of !== 'max') return number(NUMBERS[of](counted(numberSql(field))));
      const extreme = extremeSql(of, field, first);
      return number(isTemperature(field) ? printedNumber('Temperature', extreme) : extreme);
    }
    case 'percentile':
      // Linear interpolation between ranks (type 7). + 0: of -0 and 0, which are equal, either may have the rank.
      return number(
        `quantileExactInclusive(${statistic.percent / 100})(${counted(numberSql(statistic.field))}) + 0`,
      );
    case 'time': {
      const { of, field } = statistic;
      const order = orderSql(of, orderedNumber(field, valueSql(field)));
      return { sql: timeSql(of, `${of}(${counted(order)})`), type: TIME };
    }
    case 'condition': {
      const { of, condition } = statistic;
      const meets = counted(`toNullable(${conditionSql(condition, parameters)})`);
      return (isOfOneDay(question.groups) ? CONDITIONS_OF_DAY : CONDITIONS)[of](meets);
    }
    case 'resultant':
      return { sql: resultantSql(statistic.of, counted), type: statistic.of === 'variable' ? COUNT : NUMBER };
    case 'highest':
    case 'time_of_highest':
      return statistic.field === 'wgst_kt'
        ? strongestWind(statistic.kind, counted)
        : extreme('highest', extremeSql('max', statistic.field, first));
    case 'lowest':
      return extreme('lowest', extremeSql('min', statistic.field, first));
    case 'trace':
      return TRACES;
    case 'total':
      return {
        joined: {
          of: 'amounts',
          parts: [IS_WET],
          join: ([isWet], { amounts }, isMeasured) =>
            cellOf(totalOf(amounts, isWet === '0' && isMeasured(), statistic.isOfMonth)),
        },
        type: NUMBER,
      };
  }
}

const NUMBER = 'Nullable(Float64)';
const COUNT = 'Nullable(Int64)';
const TIME = "Nullable(DateTime64(6, 'UTC'))";

const number = (sql: string): Definition => ({ sql, type: NUMBER });

function countSql(onlyFirst: boolean): string {
  return onlyFirst ? 'toUInt32(countIf(isFirst))' : 'toUInt32(count())';
}

const NUMBERS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (column: string) => string>> = {
  mean: (column) => `avg(${column})`,
  sum: (column) => `sum(${column})`,
  // The engine gives NaN for a single value.
  stddev: (column) => `if(count(${column}) > 1, stddevSampStable(${column}), NULL)`,
};

/** Hundredths are added, so that it is exact. */
const GAUGE_HOURS: Definition = {
  joined: {
    of: 'amounts',
    parts: [],
    join: (_, { amounts }) => cellOf(amounts?.ofGauge === undefined ? undefined : amounts.ofGauge / 100),
  },
  type: NUMBER,
};

const TRACES: Definition = {
  joined: {
    of: 'amounts',
    parts: [TRACE, IS_WET],
    join: ([trace = ABSENT, isWet], { amounts }, isMeasured) => {
      const total = totalOf(amounts, isWet === '0' && isMeasured());
      return trace === '0' && total === undefined ? ABSENT : trace;
    },
  },
  type: COUNT,
};

/** NULL where no report can be judged. */
const CONDITIONS: Readonly<Record<ConditionFunction, (meets: string) => Definition>> = {
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

function countOf(meets: string, count: string): Definition {
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

function extreme(of: 'highest' | 'lowest', sql: string): Definition {
  return {
    joined: {
      of: 'extremes',
      parts: [sql],
      join: ([own = ABSENT], { [of]: other }) =>
        other === undefined
          ? own
          : cellOf(extremeOf(of === 'highest' ? Math.max : Math.min, numberOf(own), other)),
    },
    type: NUMBER,
    print: printTemperature,
  };
}

/** The greater or the less of two, where both are there. */
export function extremeOf(
  of: typeof Math.max,
  one: number | undefined,
  other: number | undefined,
): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return of(one, other);
}

/** Seconds in the lower half of an integer. */
const SECONDS = 0xffff_ffff;
const TIMES = SECONDS + 1;
const OBSERVED = 'toUInt32(observedAt)';

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 */
function orderSql(of: 'max' | 'min', value: string): string {
  return `toInt64(round(${value} * 10000)) * ${TIMES} + ${of === 'max' ? `${SECONDS} - ${OBSERVED}` : OBSERVED}`;
}

/** The time of the extreme of such integers. */
function timeSql(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${SECONDS})`;
  return `toDateTime(${of === 'max' ? `${SECONDS} - ${time}` : time}, 'UTC')`;
}

/** The same for whole knots, of which the greatest counts: to round takes longer. */
export function orderOfWind(knots: number, time: number): number {
  return knots * TIMES + SECONDS - time;
}

/** Over gusts, at the time of their report, and peak winds, at their own (D61). */
function strongestWind(of: 'highest' | 'time_of_highest', counted: (value: string) => string): Definition {
  const gust = `toInt64(${valueSql('wgst_kt')}) * ${TIMES} + ${SECONDS} - ${OBSERVED}`;
  return {
    joined: {
      of: 'peaks',
      parts: [`max(${counted(gust)})`],
      join: ([own], { peak }) => {
        const wind = extremeOf(Math.max, numberOf(own), peak);
        if (wind === undefined || of === 'highest') return cellOf(wind && Math.floor(wind / TIMES));
        return new Date((SECONDS - (wind % TIMES)) * 1000).toISOString().replace('.000', '');
      },
    },
    type: of === 'highest' ? NUMBER : TIME,
  };
}
