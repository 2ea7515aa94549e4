import { printedNumber } from '../model/field-columns.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type {
  ConditionFunction,
  NumberFunction,
  PeriodField,
  Question,
  Sample,
  Statistic,
} from './question.ts';
import { isTemperature, numberOf, orderedNumber, type RowColumns, valueSql } from './row-columns.ts';
import { dayOf } from './times.ts';

/** A column of the answer with the value of a statistic. */
export type ValueColumn = {
  /** In the answer. */
  readonly name: string;
  /** In the statement, unlike any name of a client: those begin with a letter. */
  readonly alias: string;
  /** Over the sampled reports of a group. */
  readonly sql: string;
  /**
   * `time`: seconds since 1970-01-01T00:00:00Z. `count`: 0, and not NULL, where the group has no report.
   * `known count`: NULL where no report can be judged. `amount`: 0 where
   * the group has reports without an amount, and other groups of the station have amounts. `temperature`: as stored, so that
   * -0 is below 0.
   */
  readonly type: 'number' | 'count' | 'known count' | 'time' | 'amount' | 'temperature';
};

/** Which reports the statement reads: the first METARs of hours, all reports, or all with a mark at these METARs. */
export type ReadSample = 'first' | 'all' | 'marked';

const OBSERVED = 'toUInt32(observedAt)';

/** Fields that say how much has fallen: a special report repeats what the next METAR says of the same hour. */
const AMOUNTS: ReadonlySet<string> = new Set(['pcp1h_in', 'snow_inc_in', 'ice1h_in']);

/** The sample of a statistic: of the first METARs of hours, or of every report. */
function isOfAllReports(statistic: Statistic, sample: Sample): boolean {
  if (statistic.kind === 'total') return false;
  if (statistic.kind === 'number' && statistic.of === 'sum' && AMOUNTS.has(statistic.field)) return false;
  if (sample !== 'auto') return sample === 'all';
  switch (statistic.kind) {
    case 'number':
      return statistic.of === 'min' || statistic.of === 'max';
    case 'condition':
      return statistic.of === 'days' || statistic.of === 'hours';
    case 'reports':
    case 'percentile':
      return false;
    default:
      return true;
  }
}

/** What all statistics of a question together, and its count of reports, need. */
export function readSampleOf(statistics: readonly Statistic[], sample: Sample): ReadSample {
  const ofAll = statistics.map((statistic) => isOfAllReports(statistic, sample));
  if (sample === 'all') return ofAll.includes(false) ? 'marked' : 'all';
  return ofAll.includes(true) ? 'marked' : 'first';
}

export function valueColumns(
  { statistics, sample, groups }: Question,
  columns: RowColumns,
): readonly ValueColumn[] {
  const isByDay = groups.some((group) => group.kind === 'calendar' && group.unit === 'date');
  const isMarked = readSampleOf(statistics, sample) === 'marked';
  return statistics.map((statistic, n) => {
    const onlyFirst = isMarked && !isOfAllReports(statistic, sample);
    return { name: statistic.name, alias: `_value${n}`, ...columnOf(statistic, columns, onlyFirst, isByDay) };
  });
}

/**
 * @param onlyFirst the value of other reports does not count
 * @param isByDay all reports of a group are of one local day
 */
function columnOf(
  statistic: Statistic,
  columns: RowColumns,
  onlyFirst: boolean,
  isByDay: boolean,
): Pick<ValueColumn, 'sql' | 'type'> {
  switch (statistic.kind) {
    case 'reports':
      return { sql: onlyFirst ? 'toUInt32(countIf(isFirst))' : 'toUInt32(count())', type: 'count' };
    case 'number': {
      const { of, field } = statistic;
      return of === 'min' || of === 'max'
        ? { sql: extremeSql(of, field, columns, onlyFirst ? 'isFirst' : undefined), type: extremeType(field) }
        : { sql: NUMBERS[of](countedSql(numberOf(field, columns), onlyFirst)), type: 'number' };
    }
    case 'percentile': {
      const column = countedSql(numberOf(statistic.field, columns), onlyFirst);
      // Linear interpolation between ranks (type 7). + 0: of -0 and 0, which are equal, either may have the rank.
      return { sql: `quantileExactInclusive(${statistic.percent / 100})(${column}) + 0`, type: 'number' };
    }
    case 'time': {
      const { of, field } = statistic;
      const value = orderedNumber(field, columns.add(valueSql(field)));
      const column = countedSql(orderSql(of, value, OBSERVED), onlyFirst);
      return { sql: timeOf(of, `${of}(${column})`), type: 'time' };
    }
    case 'condition':
      return {
        sql: (isByDay ? CONDITIONS_OF_DAY : CONDITIONS)[statistic.of](
          countedSql(columns.addCondition(statistic.condition), onlyFirst),
        ),
        type: statistic.of === 'share' ? 'number' : 'known count',
      };
    case 'highest':
      return { sql: highestSql(statistic.field, columns), type: extremeType(statistic.field) };
    case 'lowest':
      return { sql: lowestSql(statistic.field, columns), type: extremeType(statistic.field) };
    case 'time_of_highest':
      return { sql: timeOfHighestSql(columns), type: 'time' };
    case 'total':
      return { sql: totalSql(columns, onlyFirst), type: 'amount' };
  }
}

/** NULL for reports that do not count. */
function countedSql(value: string, onlyFirst: boolean): string {
  return onlyFirst ? `if(isFirst, ${value}, NULL)` : value;
}

const NUMBERS: Readonly<Record<Exclude<NumberFunction, 'min' | 'max'>, (column: string) => string>> = {
  mean: (column) => `avg(${column})`,
  sum: (column) => `sum(${column})`,
  // Of one value it is not a number.
  stddev: (column) => `if(count(${column}) > 1, stddevSampStable(${column}), NULL)`,
};

/** NULL where no report can be judged. */
const CONDITIONS: Readonly<Record<ConditionFunction, (column: string) => string>> = {
  share: (column) => `avg(${column})`,
  count: (column) => orNull(column, `countIf(ifNull(${column}, 0))`),
  days: (column) => orNull(column, `uniqExactIf(toDate32(local), ifNull(${column}, 0))`),
  hours: (column) => orNull(column, `uniqExactIf(${NOMINAL_HOUR}, ifNull(${column}, 0))`),
};

/** The same in a group of one day, which has no set of days, and up to 26 hours: a bit for each. */
const CONDITIONS_OF_DAY: typeof CONDITIONS = {
  ...CONDITIONS,
  days: (column) => `toUInt32(max(${column}))`,
  hours: (column) =>
    orNull(
      column,
      `bitCount(groupBitOr(if(ifNull(${column}, 0), bitShiftLeft(toUInt64(1), ${NOMINAL_HOUR} % 64), 0)))`,
    ),
};

function orNull(column: string, count: string): string {
  return `if(count(${column}) = 0, NULL, toUInt32(${count}))`;
}

/** The value of a group that is printed, over the rows of all groups. */
export function printedValue(value: ValueColumn): string {
  return value.type === 'temperature' ? printedNumber('Temperature', value.alias) : comparableValue(value);
}

/** The value that is compared: -0 is below 0. */
export function comparableValue({ alias, type }: ValueColumn): string {
  if (type === 'count') return `ifNull(${alias}, 0)`;
  if (type !== 'amount') return alias;
  // 0 where another group of the station has an amount.
  return `if(isNull(${alias}) AND n > 0, if(count(${alias}) OVER (PARTITION BY station) > 0, 0, NULL), ${alias})`;
}

/** Seconds in the lower half of an integer. */
const SECONDS = 0xffff_ffff;

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 *
 * @param time seconds since 1970-01-01T00:00:00Z
 */
function orderSql(of: 'max' | 'min', value: string, time: string): string {
  const order = of === 'max' ? `${SECONDS} - ${time}` : time;
  return `toInt64(round(${value} * 10000)) * ${SECONDS + 1} + ${order}`;
}

/** The time of the extreme of such integers. */
function timeOf(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${SECONDS})`;
  return of === 'max' ? `${SECONDS} - ${time}` : time;
}

/*
 * What reports say of a longer time counts in a day where all of that time lies in it. A group of six hours that METARs of
 * 05:51 give is of the time from midnight on: what counts is the nominal hour.
 */

/** The least or greatest value of the rows that meet a condition; only the result becomes a double, not each value. */
function extremeSql(of: 'min' | 'max', field: string, columns: RowColumns, condition?: string): string {
  const column = columns.add(valueSql(field));
  return orderedNumber(
    field,
    condition === undefined ? `${of}(${column})` : `${of}If(${column}, ${condition})`,
  );
}

const extremeType = (field: string) => (isTemperature(field) ? 'temperature' : 'number');

function highestSql(field: PeriodField, columns: RowColumns): string {
  const own = extremeSql('max', field, columns);
  const others =
    field === 'wgst_kt'
      ? [`max(${peakWind(columns).speed})`]
      : [
          extremeSql('max', 'maxt6_c', columns, 'within6'),
          extremeSql('max', 'maxt24_c', columns, 'within24'),
        ];
  return `greatest(${[own, ...others].join(', ')})`;
}

function lowestSql(field: PeriodField, columns: RowColumns): string {
  const own = extremeSql('min', field, columns);
  const others = [
    extremeSql('min', 'mint6_c', columns, 'within6'),
    extremeSql('min', 'mint24_c', columns, 'within24'),
  ];
  return `least(${[own, ...others].join(', ')})`;
}

/** Of the greatest of gusts and peak winds, which are whole knots. */
function timeOfHighestSql(columns: RowColumns): string {
  const { speed, time } = peakWind(columns);
  const order = (knots: string, at: string) => `toInt64(${knots}) * ${SECONDS + 1} + ${SECONDS} - ${at}`;
  const gust = order(columns.add(valueSql('wgst_kt')), OBSERVED);
  return timeOf('max', `greatest(max(${gust}), max(${order(speed, time)}))`);
}

/** The peak wind of a report, and its time, which is up to a day before; NULL where that is another local day. */
function peakWind(columns: RowColumns) {
  const speed = columns.add(valueSql('pk_wspd_kt'));
  // `hhmm` as a number: to cut the text in two takes seven times as long.
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  const before = columns.add(`(1440 + intDiv(toUInt32(observedAt), 60) % 1440 - (${minutes})) % 1440 * 60`);
  return {
    speed: `if(${dayOf(`local - ${before}`)} = ${dayOf('local')}, ${speed}, NULL)`,
    time: `(toUInt32(observedAt) - ${before})`,
  };
}

/** Hourly amounts; where there is none, those of six hours, and else those of a day: they are of the same time. */
function totalSql(columns: RowColumns, onlyFirst: boolean): string {
  const [ofHour, of6Hours] = ['pcp1h_in', 'pcp6h_in'].map((field) =>
    countedSql(numberOf(field, columns), onlyFirst),
  );
  const ofDay = extremeSql('max', 'pcp24h_in', columns, onlyFirst ? 'isFirst AND within24' : 'within24');
  return `coalesce(sum(${ofHour}), sum(if(within6, ${of6Hours}, NULL)), ${ofDay})`;
}
