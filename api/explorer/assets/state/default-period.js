import { addDays } from './utc-day.js';

const DAYS = 7;

/**
 * What is shown of a station where nothing was chosen: the end of the last year that has reports.
 *
 * @param {import('./coverage.js').Coverage} coverage
 * @param {Pick<import('./url-state.js').State, 'year' | 'from' | 'to'>} chosen
 * @returns {{ year: string, from: string, to: string }}
 */
export function defaultPeriod({ years }, { from, to, year: chosenYear }) {
  if (from !== '' && to !== '') return { from, to, year: chosenYear === '' ? from.slice(0, 4) : chosenYear };
  const last = years.findLast(({ lastReport }) => lastReport !== undefined);
  const year = chosenYear === '' ? String(last?.year ?? new Date().getUTCFullYear()) : chosenYear;
  const lastReport = years.find((each) => String(each.year) === year)?.lastReport;
  const end = lastReport === undefined ? `${year}-01-08` : addDays(lastReport.slice(0, 10), 1);
  return { year, from: addDays(end, -DAYS), to: end };
}
