import { toNumber } from '../format.js';
import { convert } from './units.js';

/** @import { Day, Row } from '../declarations.ts' */

// The days of a station's record, and its months.

const MM_PER_INCH = 25.4;

/** @param {Row} row of `dailyValues` @returns {Day} */
export function toDay(row) {
  const inches = toNumber(row.precip_in);
  return {
    date: String(row.date),
    n: row.n,
    expected: row.expected ?? 24,
    temperature: convert('temperature', toNumber(row.mean_temp_c)),
    low: convert('temperature', toNumber(row.min_temp_c)),
    high: convert('temperature', toNumber(row.max_temp_c)),
    wind: convert('speed', toNumber(row.mean_wspd_kt)),
    gust: convert('speed', toNumber(row.max_gust_kt)),
    fog: row.n === 0 ? undefined : toNumber(row.fog_hours),
    thunder: row.n === 0 ? undefined : toNumber(row.thunder_hours),
    precipitation: convert('amount', inches && inches * MM_PER_INCH),
  };
}

/** @param {readonly (number | undefined)[]} values */
const known = (values) => values.filter((value) => value !== undefined);
/** @param {readonly (number | undefined)[]} values */
const sum = (values) => known(values).reduce((total, value) => total + value, 0);

/** Each month as one row, at mid-month. @param {readonly Day[]} days @returns {Day[]} */
export function months(days) {
  /** @type {Map<string, Day[]>} */
  const groups = new Map();
  for (const day of days) {
    const month = day.date.slice(0, 7);
    groups.set(month, [...(groups.get(month) ?? []), day]);
  }
  return [...groups].map(([month, group]) => {
    /** @param {'temperature' | 'low' | 'high' | 'wind' | 'gust' | 'precipitation' | 'n' | 'expected'} name */
    const of = (name) => group.map((day) => day[name]);
    // Fewer than a third of the days do not represent a month.
    /** @param {'temperature' | 'low' | 'high' | 'wind'} name */
    const meanOf = (name) => {
      const { length } = known(of(name));
      return length * 3 < group.length ? undefined : sum(of(name)) / length;
    };
    const gusts = known(of('gust'));
    return {
      date: `${month}-15`,
      n: sum(of('n')),
      expected: sum(of('expected')),
      temperature: meanOf('temperature'),
      low: meanOf('low'),
      high: meanOf('high'),
      wind: meanOf('wind'),
      gust: gusts.length === 0 ? undefined : Math.max(...gusts),
      precipitation: known(of('precipitation')).length > 0 ? sum(of('precipitation')) : undefined,
    };
  });
}
