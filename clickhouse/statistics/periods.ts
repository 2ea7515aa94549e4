import { EARLY_SECONDS } from '../model/time-window.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type Column, orderedNumber, valueSql } from './column.ts';
import { OBSERVED, windOrderSql } from './order.ts';
import { dayOf, type LocalTime } from './times.ts';

/** What reports say of a longer time than their own. */
export type PeriodKind = keyof typeof PERIODS;

/** What the statements of a question share. */
export type PeriodSource = {
  /** SQL: the number of the station. */
  readonly station: string;
  /** The clause FROM: reports of the range, and of some seconds before and after it, whether or not they meet `condition`. */
  readonly sample: (before: number, after: number) => string;
  /** SQL over a report: whether it counts. */
  readonly condition?: string;
  readonly local: LocalTime;
  /** SQL: whether a time is in the range of the station. */
  readonly inRange: (time: string) => string;
  readonly groups: readonly Column[];
  /** Each group has whole days. */
  readonly isOfDays: boolean;
};

/** @param onlyFirst only the first METAR of each hour counts */
type KindSource = PeriodSource & { readonly onlyFirst: boolean };

const HOUR = 3600;
const DAY = 24 * HOUR;

const PEAKS = readStatement('periods/peaks');
const EXTREMES = readStatement('periods/extremes');
const BOUNDS = readStatement('periods/bounds_of_extremes');
const TOUCHING = readStatement('periods/touching_extremes');

/** The rows of each kind: their columns, by name, and their statement. */
export const PERIODS = {
  peaks: { columns: ['_peak'], sql: peaksSql },
  extremes: { columns: ['_highest', '_lowest'], sql: extremesSql },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly columns: readonly string[];
      /** @param row the list of all columns of a row: groups, and values by name */
      readonly sql: (source: KindSource, row: RowSql) => string;
    }
  >
>;

/** The columns of a row in the order of all rows; those without a value are NULL. */
export type RowSql = (
  groups: readonly string[],
  values: Readonly<Record<string, string>>,
) => readonly string[];

/** The names of groups in rows. */
export function groupNames(groups: readonly Column[]): readonly string[] {
  return groups.map((_, at) => `_group${at}`);
}

/** The time of a peak wind, from `hhmm` as a number: to cut the text in two takes seven times as long. */
const PEAK_TIME = (() => {
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  return `${OBSERVED} - (1440 + intDiv(${OBSERVED}, 60) % 1440 - (${minutes})) % 1440 * 60`;
})();

function peaksSql(source: KindSource, row: RowSql): string {
  const { station, sample, condition, local, inRange, groups, isOfDays, onlyFirst } = source;
  const peak = `max(${windOrderSql(valueSql('pk_wspd_kt'), 'time')})`;
  return fillSql(PEAKS, {
    time: PEAK_TIME,
    // Other groups are those of the report.
    ...localTimes(local, isOfDays ? 'time' : OBSERVED),
    station,
    columns: row(
      groups.map(({ sql }) => sql),
      { _peak: peak },
    ).join(',\n    '),
    sample: sample(0, DAY),
    counted: allOf(inRange('time'), condition, onlyFirst && "counts = 'hour'"),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

/** °C by which an extreme of 24 hours may pass reports. */
const TOLERANCE = 2;

function extremesSql(source: KindSource, row: RowSql): string {
  const { station, condition, local, inRange, groups, onlyFirst } = source;
  const sample = source.sample(30 * HOUR, 6 * HOUR);
  const isWithin = (hours: number) => `${dayOf(local.sql(`(end - ${hours}) * ${HOUR}`))} = ${dayOf('local')}`;
  const columns: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      ['maxt6', 'mint6', 'maxt24', 'mint24'].map((name) => [name, comparedSql(`${name}_c`)]),
    ),
    ...Object.fromEntries(groups.map(({ sql }, at) => [`_group${at}`, sql])),
    isWithin6: isWithin(6),
    isWithin24: isWithin(24),
    isCounted: allOf(inRange('time'), condition, onlyFirst && 'isFirst'),
  };
  const touching = fillSql(TOUCHING, {
    ...localTimes(local, OBSERVED),
    columns: Object.entries(columns)
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(',\n        '),
    sample,
  });
  const bounds = fillSql(BOUNDS, {
    columns: Object.keys(columns)
      .map((name) => `any(${name}) AS ${name}`)
      .join(',\n    '),
    tolerance: `${TOLERANCE}`,
    temp: comparedSql('temp_c'),
    sample,
    touching,
  });
  const values = {
    _highest: 'max(greatest(if(isWithin6, maxt6, NULL), if(isWithin24 AND maxt24 <= highest, maxt24, NULL)))',
    _lowest: 'min(least(if(isWithin6, mint6, NULL), if(isWithin24 AND mint24 >= lowest, mint24, NULL)))',
  };
  return fillSql(EXTREMES, {
    station,
    columns: row(groupNames(groups), values).join(',\n    '),
    bounds,
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
}

function comparedSql(field: string): string {
  return orderedNumber(field, valueSql(field));
}

/** The local time of a time, and that of its nominal hour. */
function localTimes(local: LocalTime, time: string) {
  return {
    local: local.sql(time),
    localHour: local.sql(`intDiv(${time} + ${EARLY_SECONDS}, ${HOUR}) * ${HOUR}`),
  };
}

function allOf(...conditions: readonly (string | false | undefined)[]): string {
  return conditions.flatMap((condition) => (condition ? `(${condition})` : [])).join(' AND ');
}
