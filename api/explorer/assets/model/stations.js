import { addDays, countryName, formatCount, plural } from '../format.js';

/** @import { Coverage, CoverageYear, Place, Station } from '../declarations.ts' */

// Which stations a text finds, and what the archive holds of a station.

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const EARTH_KM = 6371;

/** The position that a text gives, such as `50.03, 8.57`. @param {string} text @returns {Place | undefined} */
export function parsePoint(text) {
  const [, latitude, longitude] = (POINT.exec(text) ?? []).map(Number);
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/**
 * The matching stations, best first: by code, then by the start of a word in the name, then by other parts and by
 * country; by distance if the text is a position such as `50.03, 8.57`. Stations with reports come before others.
 * @param {readonly Station[]} stations
 * @param {string} text
 * @returns {Station[]}
 */
export function findStations(stations, text) {
  const point = parsePoint(text);
  if (point !== undefined) return nearestStations(stations, point);
  const wanted = plain(text.trim());
  if (wanted === '') return [...stations];
  return stations
    .map((station) => ({ station, rank: rankOf(station, wanted), last: station.lastReport === undefined }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => Number(a.last) - Number(b.last) || a.rank - b.rank)
    .map(({ station }) => station);
}

/** @param {Station} station @param {string} wanted */
function rankOf({ station, name = '', country }, wanted) {
  if (station.toLowerCase().startsWith(wanted)) return 0;
  const words = plain(name);
  if (words.startsWith(wanted) || words.includes(` ${wanted}`)) return 1;
  if (words.includes(wanted)) return 2;
  const isOfCountry =
    country?.toLowerCase() === wanted || plain(countryName(country) ?? '').startsWith(wanted);
  return isOfCountry ? 3 : 4;
}

/** Without accents, so that `montreal` finds Montréal. @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** @param {readonly Station[]} stations @param {Place} point @returns {Station[]} */
function nearestStations(stations, point) {
  return stations
    .flatMap((station) => {
      const { latitude, longitude } = station;
      if (latitude === undefined || longitude === undefined) return [];
      const angle = d3.geoDistance([point.longitude, point.latitude], [longitude, latitude]);
      return [{ ...station, distance: EARTH_KM * angle }];
    })
    .sort((a, b) => a.distance - b.distance);
}

/** The begin of the archive. */
export const FIRST_YEAR = 2005;
export const FIRST_DAY = `${FIRST_YEAR}-01-01`;

/** Days younger than this are never complete: late reports and corrections still arrive. */
const COMPLETE_AFTER_DAYS = 3;

/**
 * Why the archive has no report for a day.
 * @param {Coverage | undefined} coverage
 * @param {string} day
 * @param {string} today
 */
export function whyEmpty(coverage, day, today) {
  if (day > today) return 'in the future';
  if (day >= addDays(today, -COMPLETE_AFTER_DAYS)) return 'less than 72 hours old: reports may still arrive';
  /** @param {Coverage['gaps']} ranges */
  const isIn = (ranges) => ranges.some(({ from, to }) => day >= from.slice(0, 10) && day < to.slice(0, 10));
  if (coverage === undefined) return 'no report';
  if (isIn(coverage.gaps)) return 'not in the archive yet';
  if (isIn(coverage.notDue)) return 'outside the period of record';
  return 'complete, and nothing was reported';
}

/**
 * The complete part of the due days of a year, from 0 to 1; 0 if no day is due.
 * @param {CoverageYear | undefined} year
 */
export function shareDone(year) {
  return year?.daysDue ? (year.daysDone ?? 0) / year.daysDue : 0;
}

/** A year in words. @param {CoverageYear | undefined} year */
export function describeYear(year) {
  if (!year?.daysDue) return 'no day is due';
  const reports = year.reports === undefined ? 'no report' : `${formatCount(year.reports)} reports`;
  const sources = year.sources?.length ? `, from ${year.sources.join(', ')}` : '';
  return `${reports}, ${year.daysDone ?? 0} of ${year.daysDue} days complete${sources}`;
}

/** @param {Coverage} coverage @param {string} today */
export function coverageSentence({ years, gaps }, today) {
  const held = years.filter(({ reports }) => reports);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return 'The archive holds no report of this station yet.';
  const reports = formatCount(d3.sum(held, (year) => year.reports));
  const sentence = `${reports} reports of ${first === last ? first.year : `${first.year} to ${last.year}`}`;
  const missing = d3.sum(gaps, ({ from, to }) => d3.utcDay.count(new Date(from), new Date(to)));
  if (missing > 0)
    return `${sentence}. ${plural(missing, 'day')} ${missing === 1 ? 'is' : 'are'} not complete yet.`;
  const youngest = addDays(today, -COMPLETE_AFTER_DAYS - 1);
  return `${sentence}. Complete to ${[last.lastReport?.slice(0, 10) ?? youngest, youngest].sort()[0]}.`;
}
