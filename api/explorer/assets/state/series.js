import { VALUE_NAMES, VALUES } from './values.js';

/**
 * Values aligned with `times`, in seconds. `null` interrupts a line, `undefined` does not: a report without this value is
 * no gap.
 *
 * @typedef {(number | null | undefined)[]} Values
 * @typedef {{ times: number[], values: Record<string, Values>, gaps: number }} Series
 */

/** A report that comes a little late is no gap. */
const TOLERANCE = 1.5;
const HOUR = 3600;

/** Most reports have none of these: a line between two that have one would be wrong. */
const POINTS = ['gust', 'ceiling'];

/**
 * Each report of a short period.
 *
 * @param {readonly import('../../../client/client.d.ts').Observation[]} records in order of time
 * @returns {Series}
 */
export function toSeries(records) {
  const longest = longestInterval(records);
  /** @type {Series} */
  const series = { times: [], values: Object.fromEntries(VALUE_NAMES.map((name) => [name, []])), gaps: 0 };
  for (const { observedAt, decoded = {} } of records) {
    const time = Date.parse(observedAt) / 1000;
    const last = series.times.at(-1);
    if (last !== undefined && time - last > longest) {
      add(series, (last + time) / 2, null);
      series.gaps += 1;
    }
    add(series, time, { ...decoded });
  }
  return series;
}

/**
 * How far two reports of a station may lie apart: half as much again as its usual interval, which many special reports
 * must not shorten.
 *
 * @param {readonly import('../../../client/client.d.ts').Observation[]} records
 */
function longestInterval(records) {
  const routine = records
    .filter(({ type }) => type === 'METAR')
    .map(({ observedAt }) => Date.parse(observedAt) / 1000);
  const intervals = routine
    .slice(1)
    .map((time, at) => time - (routine[at] ?? time))
    .filter((interval) => interval > 0)
    .sort((a, b) => a - b);
  return TOLERANCE * (intervals[Math.floor(intervals.length / 2)] ?? HOUR);
}

/**
 * @param {Series} series
 * @param {number} time
 * @param {Record<string, unknown> | null} decoded `null` in a gap
 */
function add(series, time, decoded) {
  series.times.push(time);
  for (const name of VALUE_NAMES) {
    const value = decoded === null ? null : VALUES[name](decoded);
    series.values[name]?.push(value ?? (POINTS.includes(name) ? null : value));
  }
}
