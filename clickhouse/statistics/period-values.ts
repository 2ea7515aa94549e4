import { orderSql, timeSql } from './extreme-times.ts';
import type { PeriodField } from './question.ts';
import { numberSql, type RowColumns, valueSql } from './row-columns.ts';

/*
 * What reports say of a longer time counts in a day where all of that time lies in it. A group of six hours that METARs of
 * 05:51 give is of the time from midnight on: what counts is the nominal hour.
 */

/** The value of a field about the hours before the nominal hour of a report; NULL where they begin on another local day. */
function withinDay(field: string, hours: 6 | 24, columns: RowColumns): string {
  return `if(within${hours}, ${columns.add(numberSql(field))}, NULL)`;
}

export function highestSql(field: PeriodField, columns: RowColumns): string {
  if (field === 'wgst_kt')
    return `max(greatest(${columns.add(numberSql(field))}, ${peakWind(columns).speed}))`;
  const values = [
    columns.add(numberSql(field)),
    withinDay('maxt6_c', 6, columns),
    withinDay('maxt24_c', 24, columns),
  ];
  return `max(greatest(${values.join(', ')}))`;
}

export function lowestSql(field: PeriodField, columns: RowColumns): string {
  const values = [
    columns.add(numberSql(field)),
    withinDay('mint6_c', 6, columns),
    withinDay('mint24_c', 24, columns),
  ];
  return `min(least(${values.join(', ')}))`;
}

/** Of the greatest of gusts and peak winds. */
export function timeOfHighestSql(columns: RowColumns): string {
  const { speed, time } = peakWind(columns);
  const gust = orderSql('max', columns.add(numberSql('wgst_kt')), 'toUInt32(observedAt)');
  return timeSql('max', `greatest(${gust}, ${orderSql('max', speed, time)})`);
}

/** The peak wind of a report, and its time, which is up to a day before; NULL where that is another local day. */
function peakWind(columns: RowColumns) {
  const speed = columns.add(numberSql('pk_wspd_kt'));
  const time = valueSql('pk_time');
  const minutes = `toUInt16OrNull(substring(${time}, 1, 2)) * 60 + toUInt16OrNull(substring(${time}, 3, 2))`;
  const before = columns.add(
    `(1440 + toHour(observedAt) * 60 + toMinute(observedAt) - (${minutes})) % 1440 * 60`,
  );
  return {
    speed: `if(toDate32(local - ${before}) = toDate32(local), ${speed}, NULL)`,
    time: `(toUInt32(observedAt) - ${before})`,
  };
}

/**
 * Hourly amounts; where there is none, those of six hours, and else those of a day: they are of the same time.
 *
 * @param counted the values of the first METARs of hours
 */
export function totalSql(counted: (column: string) => string, columns: RowColumns): string {
  return `coalesce(sum(${counted(columns.add(numberSql('pcp1h_in')))}), sum(${counted(withinDay('pcp6h_in', 6, columns))}), max(${counted(withinDay('pcp24h_in', 24, columns))}))`;
}
