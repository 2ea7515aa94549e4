import { addDays, formatCount, plural } from '../format.js';

/**
 * @typedef {{
 *   year: number, status: string, daysDue?: number, daysDone?: number, reports?: number, firstReport?: string,
 *   lastReport?: string, sources?: string[],
 * }} CoverageYear
 * @typedef {{
 *   station: string, status: string, yearsDone: number, yearsAll: number, years: CoverageYear[],
 *   gaps: { from: string, to: string }[], notDue: { from: string, to: string }[],
 * }} Coverage
 */

/** The first year of the archive. */
export const FIRST_YEAR = 2005;

/** Days younger than this are never complete: late reports and corrections still arrive. */
const COMPLETE_AFTER_DAYS = 3;

/**
 * Why the archive has no report for a day, from its coverage.
 *
 * @param {Coverage | undefined} coverage
 * @param {string} day
 * @param {string} today
 */
export function whyEmpty(coverage, day, today) {
  if (day > today) return 'in the future';
  if (day >= addDays(today, -COMPLETE_AFTER_DAYS)) return 'less than 72 hours old: reports may still arrive';
  /** @param {{ from: string, to: string }[]} ranges */
  const isIn = (ranges) => ranges.some(({ from, to }) => day >= from.slice(0, 10) && day < to.slice(0, 10));
  if (coverage === undefined) return 'no report';
  if (isIn(coverage.gaps)) return 'not in the archive yet';
  if (isIn(coverage.notDue)) return 'outside the period of record';
  return 'complete, and nothing was reported';
}

/** The part of the due days of a year that is complete, from 0 to 1; `undefined` if no day is due. @param {CoverageYear | undefined} year */
export function shareDone(year) {
  if (year?.daysDue === undefined || year.daysDue === 0) return undefined;
  return (year.daysDone ?? 0) / year.daysDue;
}

/** A year in words. @param {CoverageYear | undefined} year */
export function describeYear(year) {
  if (year?.daysDue === undefined || year.daysDue === 0) return 'no day is due';
  const reports = year.reports === undefined ? 'no report' : `${formatCount(year.reports)} reports`;
  const sources = (year.sources ?? []).length === 0 ? '' : `, from ${year.sources?.join(', ')}`;
  return `${reports}, ${year.daysDone ?? 0} of ${year.daysDue} days complete${sources}`;
}

/** @param {Coverage} coverage @param {string} today */
export function coverageSentence({ years, gaps }, today) {
  const [first, last] = [years.find(({ reports }) => reports), years.findLast(({ reports }) => reports)];
  if (first === undefined || last === undefined) return 'The archive holds no report of this station yet.';
  const reports = years.reduce((sum, year) => sum + (year.reports ?? 0), 0);
  const held = `${formatCount(reports)} reports of ${first.year === last.year ? first.year : `${first.year} to ${last.year}`}`;
  const missing = gaps.reduce(
    (sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 86_400_000,
    0,
  );
  const youngest = addDays(today, -COMPLETE_AFTER_DAYS - 1);
  const lastDay = last.lastReport?.slice(0, 10) ?? youngest;
  if (missing === 0) return `${held}. Complete to ${[lastDay, youngest].sort()[0]}.`;
  return `${held}. ${plural(missing, 'day')} ${missing === 1 ? 'is' : 'are'} not complete yet.`;
}
