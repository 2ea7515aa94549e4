import { groupBy, sum } from './days.js';
import { SPEED_BOUNDS } from './requests.js';

/** @import { Row } from '../declarations.ts' */

// Sums of statistics for the charts of the climate.

/** With reports for a smaller part of the hours, a mean says more about which reports exist than about the place. */
export const ENOUGH_HOURS = 0.2;

export const SEASONS = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
const SECTORS = 12;

/** Names of the classes of speed. */
export const SPEEDS = [0, ...SPEED_BOUNDS].map((bound, at) => {
  const next = SPEED_BOUNDS[at];
  if (next === undefined) return `${bound} kt and more`;
  return bound === 0 ? `below ${next} kt` : `${bound} to ${next - 1} kt`;
});

/**
 * The part of the hours that have a report. Rows of the same calendar group repeat its hours.
 *
 * @param {readonly Row[]} rows
 * @param {readonly string[]} groups the calendar groups
 */
export function shareOfHours(rows, groups) {
  const expected = new Map(rows.map((row) => [groups.map((name) => row[name]).join(), row.expected ?? 0]));
  const hours = sum([...expected.values()]);
  return hours === 0 ? 0 : sum(rows.map(({ n }) => n)) / hours;
}

/**
 * The share of hours by direction (clockwise from north) and speed class, and the share of calm wind.
 *
 * @param {readonly Row[]} rows of `windBySeason`
 * @param {string} [season] all seasons if absent
 */
export function windRose(rows, season) {
  const used = rows.filter(
    (row) => (season === undefined || row.season === season) && row.wind_sector !== undefined,
  );
  const n = sum(used.map((row) => row.n));
  /** @param {(row: Row) => boolean} isIn */
  const share = (isIn) => (n === 0 ? 0 : sum(used.filter(isIn).map((row) => row.n)) / n);
  return {
    n,
    sectors: Array.from({ length: SECTORS }, (_, sector) =>
      SPEEDS.map((_speed, speed) =>
        share((row) => row.wind_sector === String(sector) && Number(row.class_wspd_kt) === speed),
      ),
    ),
    calm: share((row) => row.wind_sector === 'calm'),
  };
}

/**
 * The shares of flight categories in each hour of each month with reports.
 * @param {readonly Row[]} rows of `flightCategories`
 */
export function categoryShares(rows) {
  return [...groupBy(rows, (row) => `${row.month} ${row.hour}`).values()].map((group) => {
    const known = group.filter(({ fltcat }) => fltcat !== undefined);
    const n = sum(known.map((row) => row.n));
    /** @param {string} name */
    const share = (name) => (known.find(({ fltcat }) => fltcat === name)?.n ?? 0) / Math.max(1, n);
    const low = share('IFR') + share('LIFR');
    return { month: Number(group[0]?.month), hour: Number(group[0]?.hour), n, low, marginal: share('MVFR') };
  });
}
