import { conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { type Column, isTemperature, numberSql, orderedNumber, valueSql } from './column.ts';
import type {
  ConditionFunction,
  NumberFunction,
  PeriodField,
  Question,
  Sample,
  Statistic,
} from './question.ts';
import { dayOf } from './times.ts';

/** Which reports the statement reads: the first METARs of hours, all reports, or all, of which some values take the first METARs. */
export type ReadSample = 'first' | 'all' | 'mixed';

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
  if (sample === 'all') return ofAll.includes(false) ? 'mixed' : 'all';
  return ofAll.includes(true) ? 'mixed' : 'first';
}

/** How many reports count in a group, and the values of its statistics. */
export function valueColumns(
  { statistics, sample, groups }: Question,
  parameters: SqlParameters,
): { readonly n: string; readonly values: readonly Column[] } {
  const isByDay = groups.some((group) => group.kind === 'calendar' && group.unit === 'date');
  const read = readSampleOf(statistics, sample);
  const values = statistics.map((statistic) => {
    const onlyFirst = read === 'mixed' && !isOfAllReports(statistic, sample);
    return { name: statistic.name, ...columnOf(statistic, parameters, onlyFirst, isByDay) };
  });
  return { n: countSql(read === 'mixed' && sample !== 'all'), values };
}

/**
 * @param onlyFirst the value of other reports does not count
 * @param isByDay all reports of a group are of one local day
 */
function columnOf(
  statistic: Statistic,
  parameters: SqlParameters,
  onlyFirst: boolean,
  isByDay: boolean,
): Omit<Column, 'name'> {
  const counted = (value: string) => (onlyFirst ? `if(isFirst, ${value}, NULL)` : value);
  switch (statistic.kind) {
    case 'reports':
      return { sql: countSql(onlyFirst), type: 'Int64' };
    case 'number': {
      const { of, field } = statistic;
      return of === 'min' || of === 'max'
        ? extreme(field, extremeSql(of, field, onlyFirst ? 'isFirst' : undefined))
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
      return (isByDay ? CONDITIONS_OF_DAY : CONDITIONS)[of](meets);
    }
    case 'highest':
      return extreme(statistic.field, highestSql(statistic.field));
    case 'lowest':
      return extreme(statistic.field, lowestSql(statistic.field));
    case 'time_of_highest':
      return { sql: HIGHEST_WIND.time, type: TIME };
    case 'total':
      return { sql: totalSql(counted, onlyFirst), type: NUMBER };
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
  // Of one value it is not a number.
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
  return `toDateTime(${of === 'max' ? `${SECONDS} - ${time}` : time}, 'UTC')`;
}

/*
 * What reports say of a longer time counts in a day where all of that time lies in it. A group of six hours that METARs of
 * 05:51 give is of the time from midnight on: what counts is the nominal hour.
 */

/** The least or greatest value of the rows that meet a condition; only the result becomes a double, not each value. */
function extremeSql(of: 'min' | 'max', field: string, condition?: string): string {
  const value = valueSql(field);
  return orderedNumber(
    field,
    condition === undefined ? `${of}(${value})` : `${of}If(${value}, ${condition})`,
  );
}

/** Whether the hours before the nominal hour of a report begin on the local day of the report. */
function within(hours: number): string {
  return `${dayOf(`localHour - ${hours * 3600}`)} = ${dayOf('local')}`;
}

function highestSql(field: PeriodField): string {
  return field === 'wgst_kt' ? HIGHEST_WIND.speed : `greatest(${extremesSql('max', field)})`;
}

function lowestSql(field: PeriodField): string {
  return `least(${extremesSql('min', field)})`;
}

/** Of the temperatures of reports, of six hours, and of a day. */
function extremesSql(of: 'min' | 'max', field: PeriodField): string {
  const ofHours = [6, 24].map((hours) => extremeSql(of, `${of}t${hours}_c`, within(hours)));
  return [extremeSql(of, field), ...ofHours].join(', ');
}

/** The greatest of gusts and peak winds, which are whole knots, and its time: one pair of aggregates gives both. */
const HIGHEST_WIND = (() => {
  // `hhmm` as a number: to cut the text in two takes seven times as long.
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  // The time of the peak wind is up to a day before that of the report. It does not count on another local day.
  const before = `((1440 + intDiv(${OBSERVED}, 60) % 1440 - (${minutes})) % 1440 * 60)`;
  const peak = `if(${dayOf(`local - ${before}`)} = ${dayOf('local')}, ${valueSql('pk_wspd_kt')}, NULL)`;
  const order = (knots: string, at: string) => `toInt64(${knots}) * ${SECONDS + 1} + ${SECONDS} - ${at}`;
  const gusts = `max(${order(valueSql('wgst_kt'), OBSERVED)})`;
  const highest = `greatest(${gusts}, max(${order(peak, `(${OBSERVED} - ${before})`)}))`;
  return { speed: `toFloat64(bitShiftRight(${highest}, 32))`, time: timeOf('max', highest) };
})();

/**
 * Hourly amounts; where there is none, those of six hours, and else those of a day: they are of the same time. 0 where the
 * reports of the group give none, but those of other groups of the station do.
 */
function totalSql(counted: (value: string) => string, onlyFirst: boolean): string {
  const [ofHour, of6Hours] = ['pcp1h_in', 'pcp6h_in'].map((field) => counted(numberSql(field)));
  const ofDay = extremeSql('max', 'pcp24h_in', onlyFirst ? `isFirst AND ${within(24)}` : within(24));
  const total = `coalesce(sum(${ofHour}), sum(if(${within(6)}, ${of6Hours}, NULL)), ${ofDay}) AS _total`;
  return `if(isNull(${total}) AND n > 0 AND count(_total) OVER (PARTITION BY _station) > 0, 0, _total)`;
}
