import { addDays } from './utc-day.js';

const DAYS = 7;

/**
 * What is shown of a station where nothing was chosen: the last week that has reports, of the year that was chosen or of
 * all.
 *
 * @param {import('./coverage.js').Coverage} coverage
 * @param {Pick<import('./url-state.js').State, 'year' | 'from' | 'to'>} chosen
 * @param {string | undefined} lastReport the newest report of the station where it is known: the coverage of many stations
 *   leaves it out of a year that is not over
 * @returns {{ year: string, from: string, to: string }}
 */
export function defaultPeriod({ years }, { from, to, year: chosenYear }, lastReport) {
  if (from !== '' && to !== '') return { from, to, year: chosenYear === '' ? from.slice(0, 4) : chosenYear };
  const reports = years.flatMap((each) => each.lastReport ?? []);
  if (lastReport !== undefined) reports.push(lastReport);
  const newest = reports
    .filter((time) => time.startsWith(chosenYear))
    .sort()
    .at(-1);
  const year = chosenYear || (newest?.slice(0, 4) ?? String(new Date().getUTCFullYear()));
  const end = newest === undefined ? `${year}-01-08` : addDays(newest.slice(0, 10), 1);
  return { year, from: addDays(end, -DAYS), to: end };
}
