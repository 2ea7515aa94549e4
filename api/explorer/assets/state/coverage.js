import { addDays, daysBetween } from './utc-day.js';

/**
 * @typedef {{
 *   year: number, status: string, daysDue?: number, daysDone?: number, reports?: number, firstReport?: string,
 *   lastReport?: string, sources?: string[],
 * }} CoverageYear
 * @typedef {{
 *   station: string, status: string, yearsDone: number, yearsAll: number,
 *   periodOfRecord?: { firstDay?: string, lastDay?: string }, years: CoverageYear[],
 *   gaps: { from: string, to: string }[], notDue: { from: string, to: string }[],
 * }} Coverage
 * @typedef {'done' | 'missing' | 'not due' | 'too young'} DayKind
 */

/** The first year of the archive. */
export const FIRST_YEAR = 2005;

/** What each kind of day means, in words that a label can use. */
export const DAY_KINDS = /** @type {const} */ ({
  done: 'complete',
  missing: 'not in the archive yet',
  'not due': 'outside the period of record',
  'too young': 'less than 72 hours old',
});

/** Days younger than this are never complete: late reports and corrections still arrive. */
const COMPLETE_AFTER_DAYS = 4;

/**
 * The kind of each day of a year, as the service tells it.
 *
 * @param {Coverage} coverage
 * @param {number} year
 * @param {string} today
 * @returns {{ day: string, kind: DayKind }[]}
 */
export function daysOfYear({ gaps, notDue }, year, today) {
  const youngest = addDays(today, 1 - COMPLETE_AFTER_DAYS);
  /** @param {{ from: string, to: string }[]} ranges @param {string} day */
  const isIn = (ranges, day) =>
    ranges.some(({ from, to }) => day >= from.slice(0, 10) && day < to.slice(0, 10));
  /** @param {string} day @returns {DayKind} */
  const kindOf = (day) => {
    if (day >= youngest) return 'too young';
    // Coverage says nothing about them.
    if (day < `${FIRST_YEAR}-01-01`) return 'not due';
    if (isIn(gaps, day)) return 'missing';
    return isIn(notDue, day) ? 'not due' : 'done';
  };
  const first = `${year}-01-01`;
  return Array.from({ length: daysBetween(first, `${year + 1}-01-01`) }, (_, at) => {
    const day = addDays(first, at);
    return { day, kind: kindOf(day) };
  });
}

/**
 * The part of the due days of a year that is complete, from 0 to 1; `undefined` where no day is due.
 *
 * @param {CoverageYear | undefined} year
 */
export function shareDone(year) {
  if (year?.daysDue === undefined || year.daysDue === 0) return undefined;
  return (year.daysDone ?? 0) / year.daysDue;
}

/**
 * A year in words.
 *
 * @param {CoverageYear | undefined} year
 */
export function describeYear(year) {
  const share = shareDone(year);
  if (year === undefined || share === undefined) return 'no day is due';
  const reports = year.reports === undefined ? '' : `, ${year.reports.toLocaleString('en')} reports`;
  const sources =
    year.sources === undefined || year.sources.length === 0 ? '' : `, from ${year.sources.join(', ')}`;
  return `${year.daysDone ?? 0} of ${year.daysDue} days complete${reports}${sources}`;
}
