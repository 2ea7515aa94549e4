import { addDays, DAY } from '../format.js';
import { directionsOf } from './runways.js';

/** @import { ArchiveNumbers, Ask, Coverage, Observation, Period, Row, Station } from '../declarations.ts' */

const FIELDS = { include: 'raw,decoded' };
/** The largest page of JSON. */
const MOST_REPORTS = 10_000;

/**
 * The path and query of a request, without the key, which goes in a header.
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

/** @param {string} endpoint @param {Ask['parameters']} [parameters] */
const ask = (endpoint, parameters = {}) => ({ path: `/v1/history/${endpoint}`, parameters });

/** Needs no key. @type {Ask<ArchiveNumbers>} */
export const archiveNumbers = ask('archive');
/** Needs no key. @type {Ask<readonly Station[]>} */
export const stationList = ask('archive/stations');

/** @param {string} station @returns {Ask<readonly Station[]>} */
export const stationDescription = (station) => ask('stations', { stations: station });

/** @param {string} station @returns {Ask<readonly Coverage[]>} */
export const coverageOf = (station) => ask('coverage', { stations: station });

/**
 * The newest report, also if it is newer than the one that is known.
 * @param {string} station
 * @param {string} time of the newest known report
 * @returns {Ask<readonly Observation[]>}
 */
export const newestReport = (station, time) =>
  ask('observations', {
    stations: station,
    from: time,
    to: `${new Date(Date.parse(time) + DAY).toISOString().slice(0, 19)}Z`,
    ...FIELDS,
    order: 'desc',
    limit: 1,
  });

/** @param {Period} period @returns {Ask<readonly Observation[]>} */
export const reportsOf = (period) =>
  ask('observations', { ...range(period), ...FIELDS, limit: MOST_REPORTS });

/** The fields of a chart of reports and of the newest one in words: a tenth of all that reports say. */
const CHART_FIELDS =
  'temp_c,dewp_c,wdir,wspd_kt,wgst_kt,visib_m,visib_sm,visib_mod,cavok,clouds,vvis_ft,ceiling_ft,altim_hpa,slp_hpa,wx,fltcat';

/** The reports of a chart. @param {Period} period @returns {Ask<readonly Observation[]>} */
export const chartReports = (period) =>
  ask('observations', { ...range(period), ...FIELDS, fields: CHART_FIELDS, limit: MOST_REPORTS });

const DAILY_FIELDS =
  'mean_temp_c,min_temp_c,max_temp_c,mean_wspd_kt,max_gust_kt,fog_hours,thunder_hours,precip_mm';
const MONTHLY_FIELDS = 'mean_temp_c,mean_min_temp_c,mean_max_temp_c,mean_wspd_kt,max_gust_kt,precip_mm';
/** More days than 27 years have. */
const MOST_DAYS = 10_000;

/** One record for each day. @param {Period} period @returns {Ask<readonly Row[]>} */
export const dailyValues = ({ station, from, to }) =>
  ask('daily', { stations: station, from, to, fields: DAILY_FIELDS, limit: MOST_DAYS });

/** The same of each month, with means of its days. @param {Period} period @returns {Ask<readonly Row[]>} */
export const monthlyValues = ({ station, from, to }) =>
  ask('monthly', { stations: station, from, to, fields: MONTHLY_FIELDS });

/** The lowest ceiling of each day, which the daily values do not have. @param {Period} period */
export const lowestCeilings = (period) => statistics(period, { select: 'min(ceiling_ft)', by: 'date' });

const MONTH_FIELDS =
  'mean_temp_c,mean_min_temp_c,mean_max_temp_c,min_temp_c,max_temp_c,precip_mm,thunder_days,fog_days,snow_days,frost_days';

/** The mean year, of whole months. @param {Period} period @returns {Ask<readonly Row[]>} */
export const normals = ({ station, from, to }) =>
  ask('normals', {
    stations: station,
    from: `${from.slice(0, 8)}01`,
    to: firstOfMonth(to),
    fields: MONTH_FIELDS,
  });

/** The day, or the first day of the next month. @param {string} day */
function firstOfMonth(day) {
  if (day.endsWith('-01')) return day;
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
}

/** The mean temperature by month and hour of the day. @param {Period} period */
export const temperatures = (period) => statistics(period, { select: 'mean(temp_c)', by: 'month,hour' });

/** Hours by month and hour of the day in each flight category. @param {Period} period */
export const flightCategories = (period) => statistics(period, { preset: 'flight-category' });

/** Bounds of the classes of speed in the wind rose, in knots. */
export const SPEED_BOUNDS = [7, 17, 28];

const WIND = `season,wind_sector(12),class(wspd_kt;${SPEED_BOUNDS.join(';')})`;

/** Hours by season, direction in 12 sectors and speed. @param {Period} period */
export const windBySeason = (period) => statistics(period, { select: 'count', by: WIND });

/** Limits of the wind across a runway, in knots. */
export const CROSSWINDS = [10, 15, 20];

/** The shares of hours, by month, in which a runway has at most so much wind across. @param {Period} period */
export function bestRunways(period) {
  const across = directionsOf(period.runways).map(({ heading }) => `crosswind(${heading})`);
  // Where the speed is no more, neither is the crosswind of a variable wind.
  const select = CROSSWINDS.map((limit) => {
    const conditions = ['wspd_kt', ...across].map((field) => `${field} <= ${limit}`);
    return `within_${limit}:share(${conditions.join(' OR ')})`;
  });
  return across.length === 0 ? undefined : statistics(period, { select: select.join(), by: 'month' });
}

/**
 * Where the time zone is unknown, days are in UTC.
 * @param {Period} period
 * @param {Record<string, string>} question
 * @returns {Ask<readonly Row[]>}
 */
function statistics(period, question) {
  const tz = period.timezone === undefined ? 'utc' : 'standard';
  return ask('statistics', { ...range(period), ...question, tz });
}

/** @param {Period} period */
const range = ({ station, from, to }) => ({
  stations: station,
  from: `${from}T00:00:00Z`,
  to: `${to}T00:00:00Z`,
});

/** A station's whole record. @param {Station | undefined} station @returns {Period | undefined} if it has reports */
export function wholeRecord(station) {
  const { firstReport, lastReport } = station ?? {};
  if (station === undefined || firstReport === undefined || lastReport === undefined) return undefined;
  const [from, to] = [firstReport.slice(0, 10), addDays(lastReport.slice(0, 10), 1)];
  return { station: station.station, from, to, timezone: station.timezone, runways: station.runways };
}

/** @param {string} station @param {string} year @returns {Period} */
export const yearPeriod = (station, year) => ({
  station,
  from: `${year}-01-01`,
  to: `${Number(year) + 1}-01-01`,
});

/**
 * A request in the forms that people use. None contains the key.
 * @param {string} origin
 * @param {Ask} ask
 * @param {boolean} isInParts whether the user's plan allows large answers only in parts
 */
export function snippets(origin, { path, parameters }, isInParts) {
  const name = path.split('/').at(-1) ?? '';
  const isWhole = name === 'observations' && !isInParts;
  const { limit: _, ...whole } = parameters;
  const { stations, from, to, ...others } = whole;
  const wanted = { path, parameters: isWhole ? whole : parameters };
  const more = Object.entries(others).map(([key, value]) => `, ${key}=${JSON.stringify(String(value))}`);
  return {
    url: origin + pathOf(wanted, isWhole ? '.csv' : ''),
    // curl waits when the service asks it to (429, 503) and leaves no partial file.
    curl: `curl --fail --remove-on-error --retry 20 -o ${stations}-${name}.csv \\
  -H "Authorization: Bearer $KEY" \\
  '${origin}${pathOf(wanted, '.csv')}'`,
    // The client waits as needed and reads a range of any length with keys of any plan.
    python: `# curl -O ${origin}/client/python/historical_observations.py; it needs requests and pandas
import os
from historical_observations import Client

client = Client("${origin}", os.environ["KEY"])
answer = client.${name}("${stations}", "${from}", "${to}"${more.join('')})
frame = answer.to_pandas()
print(answer.coverage, len(frame))`,
  };
}
