import { EARLY_SECONDS, NOMINAL_HOUR } from '../model/time-window.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { isOfGauges } from './amounts.ts';
import { ABSENT } from './column.ts';
import { OBSERVED } from './order.ts';
import { groupNames, type PeriodSource, type RowSql } from './period-source.ts';
import type { Statistic } from './question.ts';

// Days of which enough is known for means and extremes (D59): no run of more than six missing hours of the hourly sample
// touches them. A run lasts from an hour after the report before it to an hour before the report after it.

const PRESENCE = readStatement('periods/presence');

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Hours between two reports with six missing hours. */
const LONGEST = 7;

/** Columns of a row of one day: the first and last report in UTC and in local time, a bit for each hour, and neighbors. */
export const PRESENCE_COLUMNS = [
  '_first',
  '_last',
  '_firstLocal',
  '_lastLocal',
  '_hours',
  '_before',
  '_after',
];

/** What the reports of a day say of it, and those around a range; `isOfDay` is SQL. */
function presenceOf(time: string, local: string, isOfDay: string): Readonly<Record<string, string>> {
  return {
    _first: `nullIf(minIf(${time}, ${isOfDay}), 0)`,
    _last: `nullIf(maxIf(${time}, ${isOfDay}), 0)`,
    _firstLocal: `nullIf(minIf(toUInt32(${local}), ${isOfDay}), 0)`,
    _lastLocal: `nullIf(maxIf(toUInt32(${local}), ${isOfDay}), 0)`,
    _hours: `groupBitOrIf(bitShiftLeft(toUInt64(1), ${NOMINAL_HOUR} % 64), ${isOfDay})`,
  };
}

/** Where reports of the hourly sample are not among those that count, rows of their own have them. */
export const PRESENCE_OF_REPORTS = presenceOf(OBSERVED, 'local', 'isFirst');

/** @param isOfAll also of reports in the range */
export function presenceSql(source: PeriodSource, row: RowSql, isOfAll: boolean): string {
  const { station, hourlySample, local, groups } = source;
  const { from, to } = local.range;
  return fillSql(PRESENCE, {
    observed: OBSERVED,
    from,
    to,
    local: local.sql('time'),
    localAt: local.sql('at'),
    station,
    columns: row(
      groups.map(({ sql }) => sql),
      {
        ...presenceOf('at', 'localAt', 'isOfDay'),
        _before: 'nullIf(maxIf(at, at < time AND NOT isOfDay), 0)',
        _after: 'nullIf(minIf(at, at > time AND NOT isOfDay), 0)',
      },
    ).join(',\n    '),
    // A day, and the longest run.
    sample: hourlySample(DAY + 8 * HOUR, DAY + 8 * HOUR),
    counted: isOfAll ? 'true' : outside(local.hasRanges),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

/** SQL: the report is outside the range. Where stations have one range, only these are read. */
function outside(hasRanges: boolean): string {
  return hasRanges
    ? 'at != time'
    : "(observedAt < {from:DateTime('UTC')} OR observedAt >= {to:DateTime('UTC')})";
}

/** SQL over the rows of a group of one day. */
export const IS_COMPLETE = (() => {
  const hour = (time: string) => `intDiv(${time} + ${EARLY_SECONDS}, ${HOUR})`;
  const [first, last] = ['min(_first)', 'max(_last)'];
  const neighbors = (order: string) =>
    `OVER (PARTITION BY _station ORDER BY _group0${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const before = `greatest(max(_before), max(${last}) ${neighbors('')})`;
  const after = `least(min(_after), min(${first}) ${neighbors(' DESC')})`;
  const isShort = (one: string, other: string) => `ifNull(${hour(other)} - ${hour(one)} <= ${LONGEST}, 0)`;
  // The hour of the first report is bit 0.
  const hours = `bitRotateRight(groupBitOr(_hours), ${hour(first)} % 64)`;
  return `multiIf(
        isNull(${first}), ${isShort(before, after)},
        arrayMax(arrayDifference(bitPositionsToArray(assumeNotNull(${hours})))) > ${LONGEST}, 0,
        (min(_firstLocal) % ${DAY} < ${HOUR} OR ${isShort(before, first)})
            AND (max(_lastLocal) % ${DAY} >= ${DAY - HOUR} OR ${isShort(last, after)}))`;
})();

/** SQL: a value of a day, of which too little is known where not `isComplete`. */
export function knownSql(statistic: Statistic, value: string, isComplete: string): string {
  const stays = whatStays(statistic);
  if (stays === 'value') return value;
  return `if(${isComplete}${stays === 'above 0' ? ` OR ${value} > 0` : ''}, ${value}, NULL)`;
}

/** The same for all values of such a day, as the engine printed them, with tabs between. */
export function knownValues(statistics: readonly Statistic[], values: Buffer): Buffer {
  const cells = values.toString('latin1').split('\t');
  const known = cells.map((cell, at) => {
    const stays = whatStays(statistics[at] as Statistic);
    return stays === 'value' || (stays === 'above 0' && Number(cell) > 0) ? cell : ABSENT;
  });
  return Buffer.from(known.join('\t'), 'latin1');
}

/**
 * Means and extremes are absent of a day of which too little is known. Amounts and weather that was seen stay, but that there
 * was none is unknown.
 */
function whatStays(statistic: Statistic): 'value' | 'above 0' | 'nothing' {
  switch (statistic.kind) {
    case 'reports':
      return 'value';
    case 'total':
      return 'above 0';
    case 'condition':
      return statistic.of === 'share' ? 'nothing' : 'above 0';
    case 'number':
      return isOfGauges(statistic) ? 'value' : 'nothing';
    default:
      return 'nothing';
  }
}
