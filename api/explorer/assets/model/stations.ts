import { addDays, countryName, DAY, formatCount, formatPosition, plural, today } from '../format.ts';
import type { Address } from './address.ts';
import { type Coordinates, type Coverage, type Range, type Station, yearRange } from './requests.ts';

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const EARTH_KM = 6371;

/** The position that a text gives, such as `50.03, 8.57`. */
export function parsePoint(text: string): Coordinates | undefined {
  const [, latitude, longitude] = (POINT.exec(text) ?? []).map(Number);
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/**
 * The matching stations, best first: by code, then by the start of a word in the name, then by words anywhere in code and
 * name, and by country; by distance if the text is a position such as `50.03, 8.57`. Stations with reports come before others.
 */
export function findStations(stations: readonly Station[], text: string): readonly Station[] {
  const point = parsePoint(text);
  if (point !== undefined) return nearestStations(stations, point);
  const wanted = plain(text.trim());
  if (wanted === '') return stations;
  return stations
    .map((station) => ({ station, rank: rankOf(station, wanted), last: station.lastReport === undefined }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => Number(a.last) - Number(b.last) || a.rank - b.rank)
    .map(({ station }) => station);
}

function rankOf({ station, name = '', country }: Station, wanted: string) {
  const code = station.toLowerCase();
  // Many know an aerodrome by the last three letters: JFK, YYZ.
  if (code.startsWith(wanted) || code.slice(1) === wanted) return 0;
  const words = plain(name);
  if (words.startsWith(wanted) || words.includes(` ${wanted}`)) return 1;
  // As the service searches, in any order.
  if (wanted.split(/\s+/).every((word) => `${code} ${words}`.includes(word))) return 2;
  const isOfCountry =
    country?.toLowerCase() === wanted || plain(countryName(country) ?? '').startsWith(wanted);
  return isOfCountry ? 3 : 4;
}

/** Letters that Unicode does not split into a letter and an accent. The search of the service knows the same. */
const LETTERS: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae' };

/** Without accents, so that `montreal` finds Montréal. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøđıßæ]/g, (letter) => LETTERS[letter] ?? letter);

function nearestStations(stations: readonly Station[], point: Coordinates) {
  return stations
    .flatMap((station) => {
      const { latitude, longitude } = station;
      if (latitude === undefined || longitude === undefined) return [];
      return [{ ...station, distance_km: kilometersBetween(point, { latitude, longitude }) }];
    })
    .sort((a, b) => a.distance_km - b.distance_km);
}

/** By the haversine formula. */
function kilometersBetween(a: Coordinates, b: Coordinates) {
  const radians = Math.PI / 180;
  const halfChord = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const parallels = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  const chord = halfChord(b.latitude - a.latitude) + parallels * halfChord(b.longitude - a.longitude);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(chord));
}

/** The year in which the archive starts. */
export const FIRST_YEAR = 2005;
export const FIRST_DAY = `${FIRST_YEAR}-01-01`;

/** Days younger than this are never complete: late reports and corrections still arrive. */
const COMPLETE_AFTER_DAYS = 3;

function countDays(ranges: readonly Range[], period: Range) {
  const [begin, end] = [Date.parse(period.from), Date.parse(period.to)];
  const lengthOf = ({ from, to }: Range) => Math.min(Date.parse(to), end) - Math.max(Date.parse(from), begin);
  return ranges.reduce((days, range) => days + Math.max(0, lengthOf(range)) / DAY, 0);
}

/** Numbers of days older than 72 hours: all, done, done without a report (`empty`), due and not done (`open`). */
export function dayCounts({ gaps, notDue, silent }: Coverage, period: Range) {
  const end = addDays(today(), -COMPLETE_AFTER_DAYS);
  const old = [{ from: FIRST_DAY, to: end }];
  const [all = 0, open = 0, outside = 0, empty = 0] = [old, gaps, notDue, silent].map((each) =>
    countDays(each, period),
  );
  return { all, done: all - open - outside, empty, open, hasYoung: period.to > end };
}

/** The numbers of `dayCounts` in words, which are the same everywhere on the page. */
export function daysText({ done, empty, open, hasYoung }: Omit<ReturnType<typeof dayCounts>, 'all'>) {
  const parts = [
    done > 0 &&
      (empty > 0
        ? `${formatCount(empty)} of ${plural(done, 'day')}${hasYoung ? ' older than 72 hours' : ''} ${empty === 1 ? 'has' : 'have'} no report`
        : `each of ${plural(done, 'day')} has a report`),
    open > 0 && `${plural(open, 'day')} ${open === 1 ? 'is' : 'are'} not loaded yet`,
  ];
  return parts.filter(Boolean).join(', ') || 'no source is asked for these days';
}

const touch = (ranges: readonly Range[], { from, to }: Range) =>
  ranges.some((range) => range.from.slice(0, 10) < to && range.to.slice(0, 10) > from);

export function whyEmpty(coverage: Coverage | undefined, day: string) {
  if (day > today()) return 'in the future';
  if (day >= addDays(today(), -COMPLETE_AFTER_DAYS))
    return 'less than 72 hours old: reports may still arrive';
  if (coverage === undefined) return 'no report';
  const period = { from: day, to: addDays(day, 1) };
  if (touch(coverage.gaps, period)) return 'not loaded yet';
  if (!touch(coverage.notDue, period)) return 'loaded, and the source has no report';
  return coverage.periodOfRecord
    ? 'outside the period of record'
    : 'no report, and no source is asked for this day';
}

/** Why a load would skip days without reports: only `--refetch` requests those that are loaded or not due. */
export function whyLoadedAgain({ gaps, notDue, silent, periodOfRecord }: Coverage, period: Range) {
  if (touch(gaps, period)) return undefined;
  if (touch(silent, period)) return 'are loaded, and the source sent no report';
  return periodOfRecord && touch(notDue, period)
    ? 'are outside the period of record that the source states'
    : undefined;
}

/** The part of a year's days that have a report, from 0 to 1; of its hours where no source is asked for the days. */
export function fullness(coverage: Coverage, year: number) {
  const { all, done, empty } = dayCounts(coverage, yearRange(year));
  const { daysDue, reports = 0 } = coverage.years.find((each) => each.year === year) ?? {};
  return Math.min(1, (daysDue ? done - empty : reports / 24) / Math.max(1, all));
}

export function describeYear(coverage: Coverage, year: number) {
  const row = coverage.years.find((each) => each.year === year);
  if (!row?.daysDue && !row?.reports && coverage.periodOfRecord) return 'outside the period of record';
  const reports = row?.reports === undefined ? '' : `${formatCount(row.reports)} reports, `;
  const sources = row?.sources.length ? `, from ${row.sources.join(', ')}` : '';
  return `${reports}${daysText(dayCounts(coverage, yearRange(year)))}${sources}`;
}

export function reportsText({ years }: Coverage, period: Range) {
  const count = years.reduce((sum, { reports = 0 }) => sum + reports, 0);
  return `${plural(count, 'report')} from ${period.from} to ${addDays(period.to, -1)}`;
}

// Titles, and the facts of a station that need no key. The service writes them into the page; then the page draws them itself.

const SERVICE = 'Historical observations';
export const HOME_TITLE = 'METAR and SPECI reports, raw and decoded';
export const HOME_LEAD =
  'An archive of aerodrome weather reports that states how complete each answer is. Choose a station: by its code, name or country, or on the map.';

export function titleOf({ station, day, year, report }: Address, name?: string) {
  if (station === '') return SERVICE;
  const [, month, date, hour, minute] = /^\w+-(\d{6})(\d\d)(\d\d)(\d\d)/.exec(report) ?? [];
  const time = month && `${month.slice(0, 4)}-${month.slice(4)}-${date} ${hour}:${minute} UTC`;
  return [`${station}${name ? ` ${name}` : ''}`, time || day || year, SERVICE].filter(Boolean).join(' – ');
}

export function factsOf({ country, latitude, longitude, elevation_m }: Station): string[] {
  const isPlaced = latitude !== undefined && longitude !== undefined;
  return [
    countryName(country) ?? '',
    isPlaced ? formatPosition(latitude, longitude) : '',
    elevation_m === undefined ? '' : `${Math.round(elevation_m)} m`,
  ].filter(Boolean);
}
