import type * as client from '../../../client/schemas.d.ts';
import { addDays, DAY, type Numbers, type Texts } from '../format.ts';
import { directionsOf } from './runways.ts';

/** A request of the page. `answer` is never set: it only carries the type of the answer's `data`. */
export type Ask<T = unknown> = {
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer?: T;
};

export type Coordinates = Numbers<'latitude' | 'longitude'>;

export type Row = client.StatisticsRow;
export type Runway = NonNullable<client.Station['runways']>[number];
export type Station = Omit<client.Station, 'runways'> & { readonly runways?: readonly Runway[] | undefined };

/** Days; `to` is not included. */
export type Range = Texts<'from' | 'to'>;
export type Period = Range &
  Pick<Station, 'station' | 'runways'> & { readonly timezone?: string | undefined };

export type ArchiveNumbers = client.ArchiveSummary['data'];
export type Coverage = Pick<client.StationYears, 'years' | 'gaps' | 'notDue' | 'silent' | 'periodOfRecord'>;

/** The largest page of JSON: more days than 27 years have. */
const MOST_ROWS = '10000';

/** The path and query of a request, without the key, which goes in a header; an extension is one like `.csv`. */
export function pathOf({ endpoint, parameters }: Ask, extension = '') {
  const query = String(new URLSearchParams(parameters));
  // These need no escape in a query (RFC 3986, 3.4), and people read the URL.
  const text = query.replace(/%(2C|3A|28|29)/g, (escaped) => decodeURIComponent(escaped));
  return `/v1/history/${endpoint}${extension}${text && `?${text}`}`;
}

const ask = <T>(endpoint: string, parameters: Ask['parameters'] = {}): Ask<T> => ({ endpoint, parameters });
const askReports = (period: Ask['parameters'], others: Ask['parameters']) =>
  ask<readonly client.Observation[]>('observations', { ...period, include: 'raw,decoded', ...others });
const askRows = (endpoint: string, { station, from, to }: Period, others: Ask['parameters']) =>
  ask<readonly Row[]>(endpoint, { stations: station, from, to, ...others });

// These two need no key.
export const archiveNumbers = ask<ArchiveNumbers>('archive');
export const stationList = ask<readonly Station[]>('archive/stations');

export const stationDescription = (station: string) =>
  ask<readonly Station[]>('stations', { stations: station });

export const coverageOf = (station: string) => ask<readonly Coverage[]>('coverage', { stations: station });

/** The newest report. It may be newer than the one at `time`, which the page knows. */
export function newestReport(station: string, time: string) {
  const to = `${new Date(Date.parse(time) + DAY).toISOString().slice(0, 19)}Z`;
  return askReports({ stations: station, from: time, to }, { order: 'desc', limit: '1' });
}

export const reportsOf = (period: Period) => askReports(range(period), { limit: MOST_ROWS });

/** The fields that charts of reports and the text of the newest report need: a tenth of the bytes of all fields. */
const CHART_FIELDS =
  'temp_c,dewp_c,wdir,wspd_kt,wgst_kt,visib_m,visib_sm,visib_mod,cavok,clouds,vvis_ft,ceiling_ft,altim_hpa,slp_hpa,wx,fltcat';

export const chartReports = (period: Period) =>
  askReports(range(period), { fields: CHART_FIELDS, limit: MOST_ROWS });

const DAILY_FIELDS =
  'mean_temp_c,min_temp_c,max_temp_c,mean_wspd_kt,max_gust_kt,fog_hours,thunder_hours,precip_mm';
const MONTHLY_FIELDS = 'mean_temp_c,mean_min_temp_c,mean_max_temp_c,mean_wspd_kt,max_gust_kt,precip_mm';

/** Of the UTC days before and after the record, too: the first and the last report can be of those days in local time. */
export const dailyValues = ({ station, ...utc }: Period) => {
  const [from, to] = [addDays(utc.from, -1), addDays(utc.to, 1)];
  return askRows('daily', { station, from, to }, { fields: DAILY_FIELDS, limit: MOST_ROWS });
};

/** Records of months, with means of their days. */
export const monthlyValues = (period: Period) => askRows('monthly', period, { fields: MONTHLY_FIELDS });

/** The daily values have no ceiling. */
export const lowestCeilings = (period: Period) =>
  statistics(period, { select: 'min(ceiling_ft)', by: 'date' });

const MONTH_FIELDS =
  'mean_temp_c,mean_min_temp_c,mean_max_temp_c,min_temp_c,max_temp_c,precip_mm,thunder_days,fog_days,snow_days,frost_days';

/** The mean year, of whole months. */
export function normals({ station, ...period }: Period) {
  const [from, last] = [firstOfMonth(period.from), firstOfMonth(period.to)];
  const to = last === period.to ? last : firstOfMonth(addDays(last, 31));
  return askRows('normals', { station, from, to }, { fields: MONTH_FIELDS });
}

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`;

export const temperatures = (period: Period) =>
  statistics(period, { select: 'mean(temp_c)', by: 'month,hour' });

/** Hours by month and hour of the day in each flight category. */
export const flightCategories = (period: Period) => statistics(period, { preset: 'flight-category' });

/** Bounds of the classes of speed in the wind rose, in knots. */
export const SPEED_BOUNDS = [7, 17, 28];

const WIND = `season,wind_sector(12),class(wspd_kt;${SPEED_BOUNDS.join(';')})`;

/** Hours by season, direction in 12 sectors and speed. */
export const windBySeason = (period: Period) => statistics(period, { select: 'count', by: WIND });

/** Limits of the wind across a runway, in knots. */
export const CROSSWINDS = [10, 15, 20];

/** For each limit, the share of hours, by month, in which the crosswind of some runway is at most that limit. */
export function bestRunways(period: Period) {
  const across = directionsOf(period.runways).map(({ heading }) => `crosswind(${heading})`);
  // `wspd_kt` covers winds of variable direction: their crosswind is unknown, but not greater than their speed.
  const select = CROSSWINDS.map((limit) => {
    const conditions = ['wspd_kt', ...across].map((field) => `${field} <= ${limit}`);
    return `within_${limit}:share(${conditions.join(' OR ')})`;
  });
  return across.length === 0 ? undefined : statistics(period, { select: select.join(), by: 'month' });
}

/** Where the time zone is unknown, days are in UTC. */
function statistics(period: Period, question: Record<string, string>) {
  const tz = period.timezone === undefined ? 'utc' : 'standard';
  return ask<readonly Row[]>('statistics', { ...range(period), ...question, tz });
}

function range({ station, from, to }: Period) {
  return { stations: station, from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` };
}

/** A station's whole record, if it has reports. */
export function wholeRecord(known: Station | undefined): Period | undefined {
  if (known?.firstReport === undefined || known.lastReport === undefined) return undefined;
  return { ...known, from: known.firstReport.slice(0, 10), to: addDays(known.lastReport.slice(0, 10), 1) };
}

export const yearRange = (year: string | number) => ({
  from: `${year}-01-01`,
  to: `${Number(year) + 1}-01-01`,
});

export const yearPeriod = (station: string, year: string): Period => ({ station, ...yearRange(year) });

/** A request as URL, curl command and Python program. For reports, it is for all of them. None contains the key. */
export function snippets(origin: string, { endpoint, parameters }: Ask) {
  const isWhole = endpoint === 'observations';
  const { limit: _, ...whole } = parameters;
  const { stations, from, to, ...others } = whole;
  const wanted = { endpoint, parameters: isWhole ? whole : parameters };
  const more = Object.entries(others).map(([key, value]) => `, ${key}=${JSON.stringify(value)}`);
  return {
    request: origin + pathOf(wanted, isWhole ? '.csv' : ''),
    // curl waits when the service asks it to (429, 503) and leaves no partial file.
    curl: `curl --fail --remove-on-error --retry 20 -o ${stations}-${endpoint}.csv \\
  -H "Authorization: Bearer $KEY" \\
  '${origin}${pathOf(wanted, '.csv')}'`,
    // The client waits as needed and reads a range of any length with keys of any plan.
    Python: `# curl -O ${origin}/client/python/historical_observations.py; it needs requests and pandas
import os
from historical_observations import Client

client = Client("${origin}", os.environ["KEY"])
answer = client.${endpoint}("${stations}", "${from}", "${to}"${more.join('')})
frame = answer.to_pandas()
print(answer.coverage, len(frame))`,
  };
}
