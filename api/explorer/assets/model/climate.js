import { SPEED_BOUNDS } from './requests.js';

/** Sums of statistics for the charts of the climate. @typedef {import('./requests.js').Row} Row */

/** With reports for a smaller part of the hours, a mean says more about which reports exist than about the place. */
export const ENOUGH_HOURS = 0.2;

export const SEASONS = /** @type {const} */ (['DJF', 'MAM', 'JJA', 'SON']);
const SECTORS = 12;

/** Names of the classes of speed. */
export const SPEEDS = [0, ...SPEED_BOUNDS].map((bound, at) => {
  const next = SPEED_BOUNDS[at];
  return next === undefined
    ? `${bound} kt and more`
    : `${bound === 0 ? 'below' : `${bound} to`} ${bound === 0 ? next : next - 1} kt`;
});

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

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
 * The share of hours by direction (clockwise from north) and speed class, and the shares of calm and variable wind.
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
    variable: share((row) => row.wind_sector === 'variable'),
  };
}

/** @typedef {{ month: number, hour: number, n: number, shares: Readonly<Record<string, number>> }} HourOfMonth */

/** @param {readonly Row[]} rows of `flightCategories` @returns {HourOfMonth[]} each hour of each month with reports */
export function categoryShares(rows) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.month} ${row.hour}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => {
    const known = group.filter(({ fltcat }) => fltcat !== undefined);
    const n = sum(known.map((row) => row.n));
    const shares = Object.fromEntries(known.map((row) => [String(row.fltcat), n === 0 ? 0 : row.n / n]));
    return { month: Number(group[0]?.month), hour: Number(group[0]?.hour), n, shares };
  });
}

/** @param {HourOfMonth} hour */
export const lowShare = ({ shares }) => (shares.IFR ?? 0) + (shares.LIFR ?? 0);
