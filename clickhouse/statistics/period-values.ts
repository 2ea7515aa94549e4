import { orderSql, timeOf } from './extreme-times.ts';
import type { PeriodField } from './question.ts';
import { numberSql, type RowColumns, valueSql } from './row-columns.ts';

/*
 * What reports say of a longer time counts in a day where all of that time lies in it. A group of six hours that METARs of
 * 05:51 give is of the time from midnight on: what counts is the nominal hour.
 */

/** The number of the day of a local time. */
export function dayOf(time: string): string {
  return `intDiv(toUInt32(${time}), 86400)`;
}

/** The value of a field about the hours before the nominal hour of a report; NULL where they begin on another local day. */
function withinDay(field: string, hours: 6 | 24, columns: RowColumns): string {
  return `if(within${hours}, ${columns.add(numberSql(field))}, NULL)`;
}

export function highestSql(field: PeriodField, columns: RowColumns): string {
  const own = columns.add(numberSql(field));
  const others =
    field === 'wgst_kt'
      ? [peakWind(columns).speed]
      : [withinDay('maxt6_c', 6, columns), withinDay('maxt24_c', 24, columns)];
  return `greatest(${[own, ...others].map((value) => `max(${value})`).join(', ')})`;
}

export function lowestSql(field: PeriodField, columns: RowColumns): string {
  const own = columns.add(numberSql(field));
  const others = [withinDay('mint6_c', 6, columns), withinDay('mint24_c', 24, columns)];
  return `least(${[own, ...others].map((value) => `min(${value})`).join(', ')})`;
}

/** Of the greatest of gusts and peak winds. */
export function timeOfHighestSql(columns: RowColumns): string {
  const { speed, time } = peakWind(columns);
  const gust = orderSql('max', columns.add(numberSql('wgst_kt')), 'toUInt32(observedAt)');
  return timeOf('max', `greatest(max(${gust}), max(${orderSql('max', speed, time)}))`);
}

/** The peak wind of a report, and its time, which is up to a day before; NULL where that is another local day. */
function peakWind(columns: RowColumns) {
  const speed = columns.add(numberSql('pk_wspd_kt'));
  // `hhmm` as a number: to cut the text in two takes seven times as long.
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  const before = columns.add(`(1440 + intDiv(toUInt32(observedAt), 60) % 1440 - (${minutes})) % 1440 * 60`);
  return {
    speed: `if(${dayOf(`local - ${before}`)} = ${dayOf('local')}, ${speed}, NULL)`,
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
