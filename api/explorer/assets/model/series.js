import { valuesOf } from './weather.js';

/** @typedef {import('./weather.js').Values} Values */

/** A slightly late report does not make a gap. */
const TOLERANCE = 1.6;
const HOUR = 3_600_000;

/**
 * The values of reports in time order, in pieces: a line is not drawn across a gap.
 *
 * @param {readonly import('./requests.js').Observation[]} reports
 * @param {number} shift milliseconds added to each time, if another year is compared
 * @returns {Values[][]}
 */
export function toPieces(reports, shift = 0) {
  const longest = longestInterval(reports);
  /** @type {Values[][]} */
  const pieces = [];
  for (const report of reports) {
    const values = valuesOf(report);
    const moved = { ...values, time: values.time + shift };
    const piece = pieces.at(-1);
    const last = piece?.at(-1);
    if (piece === undefined || last === undefined || moved.time - last.time > longest) pieces.push([moved]);
    else piece.push(moved);
  }
  return pieces;
}

/**
 * How far apart two reports of a station may be without a gap, based on its usual interval, which many special reports
 * must not shorten.
 *
 * @param {readonly import('./requests.js').Observation[]} reports
 */
function longestInterval(reports) {
  const times = reports
    .filter(({ type }) => type === 'METAR')
    .map(({ observedAt }) => Date.parse(observedAt));
  const intervals = times
    .slice(1)
    .map((time, at) => time - (times[at] ?? time))
    .filter((interval) => interval > 0)
    .sort((a, b) => a - b);
  return TOLERANCE * Math.max(HOUR, intervals[Math.floor(intervals.length / 2)] ?? HOUR);
}
