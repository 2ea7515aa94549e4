import { addDays, countryName, DAY, formatCount, plural } from '../format.js';

/** @import { Coverage, CoverageYear, Coordinates, Station } from '../declarations.ts' */

// Which stations a text finds, and what the archive holds of a station.

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const EARTH_KM = 6371;

/** The position that a text gives, such as `50.03, 8.57`. @param {string} text @returns {Coordinates | undefined} */
export function parsePoint(text) {
  const [, latitude, longitude] = (POINT.exec(text) ?? []).map(Number);
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/**
 * The matching stations, best first: by code, then by the start of a word in the name, then by words anywhere in code and
 * name, and by country; by distance if the text is a position such as `50.03, 8.57`. Stations with reports come before others.
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

/** Letters that Unicode does not split into a letter and an accent. The search of the service knows the same. @type {Record<string, string>} */
const LETTERS = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae' };

/** Without accents, so that `montreal` finds Montréal. @param {string} text */
const plain = (text) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøđıßæ]/g, (letter) => LETTERS[letter] ?? letter);

/** @param {readonly Station[]} stations @param {Coordinates} point @returns {Station[]} */
function nearestStations(stations, point) {
  return stations
    .flatMap((station) => {
      const { latitude, longitude } = station;
      if (latitude === undefined || longitude === undefined) return [];
      return [{ ...station, distance: kilometersBetween(point, { latitude, longitude }) }];
    })
    .sort((a, b) => a.distance - b.distance);
}

/** By the haversine formula. @param {Coordinates} a @param {Coordinates} b */
function kilometersBetween(a, b) {
  const radians = Math.PI / 180;
  /** @param {number} degrees */
  const halfChord = (degrees) => Math.sin((degrees * radians) / 2) ** 2;
  const parallels = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  const chord = halfChord(b.latitude - a.latitude) + parallels * halfChord(b.longitude - a.longitude);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(chord));
}

/** The begin of the archive. */
export const FIRST_YEAR = 2005;
export const FIRST_DAY = `${FIRST_YEAR}-01-01`;

/** Days younger than this are never complete: late reports and corrections still arrive. */
const COMPLETE_AFTER_DAYS = 3;

/** A silence that is no longer is that of a weekend with holidays. */
const SHORT_SILENCE_DAYS = 7;

/** @param {{ from: string, to: string }} range */
const countDays = ({ from, to }) => Math.round((Date.parse(to) - Date.parse(from)) / DAY);

/** @template T @param {readonly T[]} items @param {(item: T) => number} numberOf */
const sum = (items, numberOf) => items.reduce((total, item) => total + numberOf(item), 0);

/**
 * Done days without reports, other than of a week or less: the station sent nothing, or its source lost it.
 * @param {Pick<Coverage, 'silent'>} coverage
 */
const silences = ({ silent = [] }) => silent.filter((range) => countDays(range) > SHORT_SILENCE_DAYS);

/** @param {readonly { from: string, to: string }[]} ranges @param {string} day */
const includes = (ranges, day) =>
  ranges.some(({ from, to }) => day >= from.slice(0, 10) && day < to.slice(0, 10));

/**
 * Why the archive has no report for a day.
 * @param {Coverage | undefined} coverage
 * @param {string} day
 * @param {string} today
 */
export function whyEmpty(coverage, day, today) {
  if (day > today) return 'in the future';
  if (day >= addDays(today, -COMPLETE_AFTER_DAYS)) return 'less than 72 hours old: reports may still arrive';
  if (coverage === undefined) return 'no report';
  if (includes(coverage.gaps, day)) return 'not in the archive yet';
  if (includes(coverage.notDue, day)) return 'outside the period of record';
  return includes(silences(coverage), day)
    ? 'loaded, and the source sent no report for more than a week'
    : 'complete, and nothing was reported';
}

/**
 * Why a load of days without reports would find nothing to do: they are loaded, or outside the period of record. Only
 * `--refetch` requests them.
 * @param {Coverage} coverage
 * @param {{ from: string, to: string }} period days
 */
export function whyLoadedAgain({ gaps, notDue, silent = [], periodOfRecord }, { from, to }) {
  /** @param {Coverage['gaps']} ranges */
  const touch = (ranges) =>
    ranges.some((range) => range.from.slice(0, 10) < to && range.to.slice(0, 10) > from);
  if (touch(gaps)) return undefined;
  if (touch(silent)) return 'are loaded, and the source sent no report';
  return periodOfRecord && touch(notDue)
    ? 'are outside the period of record that the source states'
    : undefined;
}

/**
 * The days of long silences in a year.
 * @param {Pick<Coverage, 'silent'>} coverage
 * @param {CoverageYear} year
 */
export function silentDays(coverage, { year }) {
  const [begin, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  return sum(
    silences(coverage),
    ({ from, to }) => Math.max(0, Math.min(Date.parse(to), end) - Math.max(Date.parse(from), begin)) / DAY,
  );
}

/**
 * The complete part of the due days of a year, from 0 to 1; 0 if no day is due. A long silence is not complete: the
 * source may have lost its reports.
 * @param {CoverageYear | undefined} year
 * @param {number} silent its days of long silences
 */
export function shareDone(year, silent) {
  return year?.daysDue ? ((year.daysDone ?? 0) - silent) / year.daysDue : 0;
}

/** A year in words. @param {CoverageYear | undefined} year @param {number} silent its days of long silences */
export function describeYear(year, silent) {
  if (!year?.daysDue) return 'no day is due';
  const reports = year.reports === undefined ? 'no report' : `${formatCount(year.reports)} reports`;
  const sources = year.sources?.length ? `, from ${year.sources.join(', ')}` : '';
  const silence = silent > 0 ? `, ${silent} of them without any report` : '';
  return `${reports}, ${year.daysDone ?? 0} of ${year.daysDue} days complete${silence}${sources}`;
}

/** @param {Coverage} coverage @param {string} today */
export function coverageSentence(coverage, today) {
  const { years, gaps } = coverage;
  const held = years.filter(({ reports }) => reports);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return 'The archive holds no report of this station yet.';
  const reports = formatCount(sum(held, (year) => year.reports ?? 0));
  const sentence = `${reports} reports of ${first === last ? first.year : `${first.year} to ${last.year}`}`;
  const missing = sum(gaps, countDays);
  if (missing > 0)
    return `${sentence}. ${plural(missing, 'day')} ${missing === 1 ? 'is' : 'are'} not complete yet.`;
  const youngest = addDays(today, -COMPLETE_AFTER_DAYS - 1);
  const end = [last.lastReport?.slice(0, 10) ?? youngest, youngest].sort()[0];
  const between = years.filter(({ year }) => year >= first.year && year <= last.year);
  const days = sum(between, (year) => silentDays(coverage, year));
  const silence = days > 0 ? `, with ${plural(days, 'day')} without any report` : '';
  return `${sentence}. Complete to ${end}${silence}.`;
}
