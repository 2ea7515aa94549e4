import { fillSql, readStatement } from '../statements/sql.ts';
import { orderedNumber, valueSql } from './column.ts';
import { OBSERVED, windOrderSql } from './order.ts';
import { allOf, groupNames, type KindSource, localTimes, type RowSql } from './period-source.ts';
import { dayOf } from './times.ts';

const PEAKS = readStatement('periods/peaks');
const EXTREMES = readStatement('periods/extremes');
const BOUNDS = readStatement('periods/bounds_of_extremes');
const TOUCHING = readStatement('periods/touching_extremes');

/** SQL over a report: whether it has an extreme of six or 24 hours. */
export const HAS_EXTREMES =
  '(maxt6_c IS NOT NULL OR mint6_c IS NOT NULL OR maxt24_c IS NOT NULL OR mint24_c IS NOT NULL)';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The time of a peak wind, from `hhmm` as a number: to cut the text in two takes seven times as long. */
const PEAK_TIME = (() => {
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  return `${OBSERVED} - (1440 + intDiv(${OBSERVED}, 60) % 1440 - (${minutes})) % 1440 * 60`;
})();

export function peaksSql(source: KindSource, row: RowSql): string {
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

/** °C by which an extreme of 24 hours may pass all else that is known of its hours. */
const TOLERANCE = 2;

export function extremesSql(source: KindSource, row: RowSql): string {
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
    hasExtremes: HAS_EXTREMES,
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
