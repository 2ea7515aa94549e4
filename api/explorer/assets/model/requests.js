import { addDays, toNumber } from '../format.js';

/**
 * Every request of the page, in one place.
 *
 * @typedef {{ path: string, parameters: Record<string, string | number | undefined> }} Ask
 * @typedef {{
 *   station: string, name?: string, country?: string, latitude?: number, longitude?: number, elevation_m?: number,
 *   timezone?: string, firstReport?: string, lastReport?: string,
 * }} Station
 * @typedef {{ station: string, name?: string, country?: string, latitude?: number, longitude?: number, lastReport?: string }} ListedStation
 * @typedef {import('../../../client/client.d.ts').Observation} Observation
 * @typedef {Readonly<Record<string, number | string | undefined>> & { readonly n: number, readonly expected?: number }} Row of statistics
 * @typedef {{ station: string, from: string, to: string, timezone?: string | undefined }} Period days, `to` not included
 */

const HISTORY = '/v1/history';
/** The largest page of JSON. */
const MOST_REPORTS = 10_000;

/**
 * The path and query of a request, without the key, which goes in a header.
 *
 * @param {Ask} ask
 * @param {string} [extension] such as `.csv`
 */
export function pathOf({ path, parameters }, extension = '') {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value));
  // These need no escape in a query (RFC 3986, 3.4), and people read the URL.
  const text = query.toString().replace(/%(2C|3A|28|29)/g, (escaped) => decodeURIComponent(escaped));
  return `${path}${extension}${text === '' ? '' : `?${text}`}`;
}

/** Needs no key. @type {Ask} */
export const archiveNumbers = { path: `${HISTORY}/archive`, parameters: {} };
/** Needs no key. @type {Ask} */
export const stationList = { path: `${HISTORY}/archive/stations`, parameters: {} };

/** @param {string} station @returns {Ask} */
export const stationDescription = (station) => ({
  path: `${HISTORY}/stations`,
  parameters: { stations: station },
});

/** @param {string} station @returns {Ask} */
export const coverage = (station) => ({ path: `${HISTORY}/coverage`, parameters: { stations: station } });

/** @param {string} station @param {string} time of the newest report @returns {Ask} */
export const newestReport = (station, time) => ({
  path: `${HISTORY}/observations`,
  parameters: { stations: station, from: time, to: nextMinute(time), include: 'raw,decoded', limit: 10 },
});

/** @param {Period} period @returns {Ask} */
export const reports = ({ station, from, to }) => ({
  path: `${HISTORY}/observations`,
  parameters: { ...range(station, from, to), include: 'raw,decoded', limit: MOST_REPORTS },
});

/** One row for each day. @param {Period} period @returns {Ask} */
export const dailyValues = ({ station, from, to, timezone }) =>
  statistics(station, from, to, timezone, { preset: 'daily' });

/** The lowest ceiling of each day, which the daily values do not have. @param {Period} period @returns {Ask} */
export const lowestCeilings = ({ station, from, to, timezone }) =>
  statistics(station, from, to, timezone, { select: 'min(ceiling_ft)', by: 'date' });

/** Temperature and days with weather of a mean year. @param {Period} period @returns {Ask} */
export const normals = ({ station, from, to, timezone }) =>
  statistics(station, from, to, timezone, { preset: 'normals' });

/** Hours by month and hour of the day in each flight category. @param {Period} period @returns {Ask} */
export const flightCategories = ({ station, from, to, timezone }) =>
  statistics(station, from, to, timezone, { preset: 'flight-category' });

/** Bounds of the classes of speed in the wind rose, in knots. */
export const SPEED_BOUNDS = [7, 17, 28];

/** Hours by season, direction in 12 sectors and speed. @param {Period} period @returns {Ask} */
export const windBySeason = ({ station, from, to, timezone }) =>
  statistics(station, from, to, timezone, {
    select: 'count',
    by: `season,wind_sector(12),class(wspd_kt;${SPEED_BOUNDS.join(';')})`,
  });

/**
 * @param {string} station
 * @param {string} from
 * @param {string} to
 * @param {string | undefined} timezone if unknown, days are in UTC
 * @param {Record<string, string>} question
 * @returns {Ask}
 */
function statistics(station, from, to, timezone, question) {
  const tz = timezone === undefined ? 'utc' : 'standard';
  return { path: `${HISTORY}/statistics`, parameters: { ...range(station, from, to), ...question, tz } };
}

/** @param {string} stations @param {string} from @param {string} to */
function range(stations, from, to) {
  return { stations, from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` };
}

/** @param {string} time */
function nextMinute(time) {
  return `${new Date(Date.parse(time) + 60_000).toISOString().slice(0, 19)}Z`;
}

/**
 * A station's whole record.
 *
 * @param {Station} station
 * @returns {Period | undefined} if it has reports
 */
export function wholeRecord({ station, firstReport, lastReport, timezone }) {
  if (firstReport === undefined || lastReport === undefined) return undefined;
  return { station, from: firstReport.slice(0, 10), to: addDays(lastReport.slice(0, 10), 1), timezone };
}

/**
 * A month of the mean year.
 *
 * @param {Row} row of `normals`
 */
export function toMonth(row) {
  return {
    month: Number(row.month),
    mean: toNumber(row.mean_temp_c),
    low: toNumber(row.mean_min_temp_c),
    high: toNumber(row.mean_max_temp_c),
    recordLow: toNumber(row.min_temp_c),
    recordHigh: toNumber(row.max_temp_c),
  };
}
