import type { Archive, StatementSettings } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { clampToArchive, EARLY_SECONDS, NO_TIME, NOMINAL_HOUR, nominalHour } from '../model/time-window.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { isOfGauges } from './amounts.ts';
import { secondsAt } from './calendar.ts';
import { ABSENT } from './column.ts';
import { OBSERVED } from './order.ts';
import { groupNames, localTimes, type PeriodSource, type RowSql } from './period-source.ts';
import type { Clock, Statistic } from './question.ts';

// Days of which enough is known for means and extremes (D59): no run of more than six missing hours of the hourly sample
// touches them. A run lasts from an hour after the report before it to an hour before the report after it.

const PRESENCE = readStatement('periods/presence');
const NEIGHBORS = readStatement('periods/neighbors');

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Hours between two reports with six missing hours. */
const LONGEST = 7;

/** SQL over the reports of a day: the first and last of the hourly sample in UTC and in local time, and a bit for each hour. */
export const PRESENCE_OF_REPORTS = {
  _first: `nullIf(minIf(${OBSERVED}, isFirst), 0)`,
  _last: `nullIf(maxIf(${OBSERVED}, isFirst), 0)`,
  _firstLocal: 'minIf(toUInt32(local), isFirst)',
  _lastLocal: 'maxIf(toUInt32(local), isFirst)',
  _hours: `groupBitOrIf(bitShiftLeft(toUInt64(1), ${NOMINAL_HOUR} % 64), isFirst)`,
};

export const PRESENCE_COLUMNS = Object.keys(PRESENCE_OF_REPORTS);

/** Whether the hourly sample is among the reports that count. */
export function hasPresence({ condition, question }: PeriodSource): boolean {
  return condition === undefined && question.types.includes('METAR');
}

/** Rows of the hourly sample, where it is not among the reports that count. */
export function presenceSql(source: PeriodSource, row: RowSql): string {
  const { station, hourlySample, local, inRange, groups } = source;
  const columns = Object.entries(PRESENCE_OF_REPORTS).map(([name, sql]) => [
    name,
    sql.replaceAll('isFirst', 'true'),
  ]);
  return fillSql(PRESENCE, {
    ...localTimes(local, OBSERVED),
    station,
    columns: row(
      groups.map(({ sql }) => sql),
      Object.fromEntries(columns),
    ).join(',\n    '),
    sample: hourlySample(0, 0),
    inRange: inRange(OBSERVED),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

/** By station: the reports next to its range, and the days that are not complete because of what lies outside of it. */
type Neighbors = {
  readonly before: number[];
  readonly after: number[];
  readonly firstUnknown: number[];
  readonly lastUnknown: number[];
};

/** Parameters of `isCompleteSql`. */
export async function readNeighbors(
  archive: Archive,
  source: PeriodSource,
  settings: StatementSettings,
): Promise<Neighbors> {
  const { station, hourlySample, local, inRange, params, stations } = source;
  const query = fillSql(NEIGHBORS, {
    station,
    // A day, and the longest run.
    sample: hourlySample(DAY + 8 * HOUR, DAY + 8 * HOUR),
    isOutside: local.hasRanges
      ? `NOT (${inRange(OBSERVED)})`
      : "(observedAt < {from:DateTime('UTC')} OR observedAt >= {to:DateTime('UTC')})",
  });
  const rows = await selectRows<[station: number, time: number]>(
    archive,
    { query, params, ofStations: stations.length > 1, settings },
    'array',
  );
  const ofStation = groupBy(rows, ([number]) => number);
  const neighbors: Neighbors = { before: [], after: [], firstUnknown: [], lastUnknown: [] };
  for (const [number, name] of stations.entries()) {
    const { offsets, ...clock } = source.clocks.find((each) => each.stations.includes(name)) as Clock;
    const { from, to } = clampToArchive(clock.range ?? source.question) ?? NO_TIME;
    const dayAt = (time: number) => Math.floor((time + secondsAt(offsets, time)) / DAY);
    const times = (ofStation.get(number) ?? []).map(([, time]) => time);
    const before = times.filter((time) => time < from);
    const after = times.filter((time) => time >= to);
    const [firstDay, lastDay] = [dayAt(from), dayAt(to - 1)];
    neighbors.before.push(before.at(-1) ?? 0);
    neighbors.after.push(after[0] ?? 0);
    // Nothing counts before the first of them, and after the last: a run there touches no day of the range if it is short.
    const touches = (day: number, run: readonly number[]) =>
      run.some((time, n) => {
        const next = run[n + 1];
        if (next === undefined || nominalHour(next) - nominalHour(time) <= LONGEST) return false;
        return dayAt(time + HOUR) <= day && day <= dayAt(next - HOUR);
      });
    const isFirstUnknown = before.length > 0 && touches(firstDay, [(before[0] as number) - DAY, ...before]);
    const isLastUnknown = after.length > 0 && touches(lastDay, [...after, (after.at(-1) as number) + DAY]);
    neighbors.firstUnknown.push(isFirstUnknown ? firstDay : 0);
    neighbors.lastUnknown.push(isLastUnknown ? lastDay : 0);
  }
  return neighbors;
}

/**
 * SQL over a group of one day: whether it is complete.
 *
 * @param isMerged the rows are those of groups, and not reports
 */
export function isCompleteSql(isMerged: boolean): string {
  const of = (name: keyof typeof PRESENCE_OF_REPORTS, merge: string) =>
    isMerged ? `${merge}(${name})` : PRESENCE_OF_REPORTS[name];
  const [first, last] = [of('_first', 'min'), of('_last', 'max')];
  const hour = (time: string) => `intDiv(${time} + ${EARLY_SECONDS}, ${HOUR})`;
  const rows = (order: string) =>
    `OVER (PARTITION BY _station ORDER BY _group0${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const ofStation = (name: string) => `{${name}:Array(UInt32)}[_station + 1]`;
  const before = `greatest(nullIf(${ofStation('before')}, 0), max(${last}) ${rows('')})`;
  const after = `least(nullIf(${ofStation('after')}, 0), min(${first}) ${rows(' DESC')})`;
  const isShort = (one: string, other: string) => `ifNull(${hour(other)} - ${hour(one)} <= ${LONGEST}, 0)`;
  // The hour of the first report is bit 0.
  const hours = `bitRotateRight(${of('_hours', 'groupBitOr')}, ${hour(first)} % 64)`;
  return `multiIf(
        _group0 = ${ofStation('firstUnknown')} OR _group0 = ${ofStation('lastUnknown')}, 0,
        isNull(${first}), ${isShort(before, after)},
        arrayMax(arrayDifference(bitPositionsToArray(assumeNotNull(${hours})))) > ${LONGEST}, 0,
        (${of('_firstLocal', 'min')} % ${DAY} < ${HOUR} OR ${isShort(before, first)})
            AND (${of('_lastLocal', 'max')} % ${DAY} >= ${DAY - HOUR} OR ${isShort(last, after)}))`;
}

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
