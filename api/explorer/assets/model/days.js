import * as d3 from 'd3-array';
import { toNumber } from '../format.js';
import { convert } from './units.js';

/** @import { Day, Row } from '../declarations.ts' */

// The days of a station's record, and its months.

/** @param {Row} row of `dailyValues` @returns {Day} */
export function toDay(row) {
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
    precipitation: convert('amount', toNumber(row.precip_mm)),
  };
}

/** Each month as one row, at mid-month. @param {readonly Day[]} days @returns {Day[]} */
export function months(days) {
  return [...d3.group(days, ({ date }) => date.slice(0, 7))].map(([month, group]) => {
    // Fewer than a third of the days do not represent a month.
    /** @param {'temperature' | 'low' | 'high' | 'wind'} name */
    const meanOf = (name) =>
      d3.count(group, (day) => day[name]) * 3 < group.length ? undefined : d3.mean(group, (day) => day[name]);
    const isMeasured = group.some(({ precipitation }) => precipitation !== undefined);
    return {
      date: `${month}-15`,
      n: d3.sum(group, ({ n }) => n),
      expected: d3.sum(group, ({ expected }) => expected),
      temperature: meanOf('temperature'),
      low: meanOf('low'),
      high: meanOf('high'),
      wind: meanOf('wind'),
      gust: d3.max(group, ({ gust }) => gust),
      precipitation: isMeasured ? d3.sum(group, ({ precipitation }) => precipitation) : undefined,
    };
  });
}
