import { addDays, countryName, DAY, formatCount, plural, today } from '../format.js';

/** @import { Coverage, Coordinates, Station } from '../declarations.ts' */

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

/** @typedef {readonly { readonly from: string, readonly to: string }[]} Ranges */

/** How many days of a period the ranges have. @param {Ranges} ranges @param {{ from: string, to: string }} period days */
function countDays(ranges, period) {
  const [begin, end] = [Date.parse(period.from), Date.parse(period.to)];
  const lengths = ranges.map(
    ({ from, to }) => Math.min(Date.parse(to), end) - Math.max(Date.parse(from), begin),
  );
  return lengths.reduce((sum, length) => sum + Math.max(0, length) / DAY, 0);
}

/**
 * Days of a period of at least 72 hours of age: all, those that are done, those of them without a report, and those that are
 * due and not done.
 * @param {Coverage} coverage
 * @param {{ from: string, to: string }} period days
 */
export function dayCounts({ gaps, notDue, silent }, { from, to }) {
  const old = [{ from: FIRST_DAY, to: addDays(today(), -COMPLETE_AFTER_DAYS) }];
  const [all = 0, open = 0, outside = 0, empty = 0] = [old, gaps, notDue, silent].map((each) =>
    countDays(each, { from, to }),
  );
  return { all, done: all - open - outside, empty, open };
}

/** In the same words everywhere. @param {Omit<ReturnType<typeof dayCounts>, 'all'>} counts */
export function daysText({ done, empty, open }) {
  const parts = [
    done > 0 &&
      (empty > 0
        ? `${formatCount(empty)} of ${plural(done, 'day')} ${empty === 1 ? 'has' : 'have'} no report`
        : `each of ${plural(done, 'day')} has a report`),
    open > 0 && `${plural(open, 'day')} ${open === 1 ? 'is' : 'are'} not loaded yet`,
  ];
  return parts.filter(Boolean).join(', ') || 'no source is asked for these days';
}

/** @param {Ranges} ranges @param {string} day */
const includes = (ranges, day) =>
  ranges.some(({ from, to }) => day >= from.slice(0, 10) && day < to.slice(0, 10));

/**
 * Why the archive has no report for a day.
 * @param {Coverage | undefined} coverage
 * @param {string} day
 */
export function whyEmpty(coverage, day) {
  if (day > today()) return 'in the future';
  if (day >= addDays(today(), -COMPLETE_AFTER_DAYS))
    return 'less than 72 hours old: reports may still arrive';
  if (coverage === undefined) return 'no report';
  if (includes(coverage.gaps, day)) return 'not loaded yet';
  return includes(coverage.notDue, day)
    ? 'outside the period of record'
    : 'loaded, and the source has no report';
}

/**
 * Why a load of days without reports would find nothing to do: they are loaded, or outside the period of record. Only
 * `--refetch` requests them.
 * @param {Coverage} coverage
 * @param {{ from: string, to: string }} period days
 */
export function whyLoadedAgain({ gaps, notDue, silent, periodOfRecord }, { from, to }) {
  /** @param {Coverage['gaps']} ranges */
  const touch = (ranges) =>
    ranges.some((range) => range.from.slice(0, 10) < to && range.to.slice(0, 10) > from);
  if (touch(gaps)) return undefined;
  if (touch(silent)) return 'are loaded, and the source sent no report';
  return periodOfRecord && touch(notDue)
    ? 'are outside the period of record that the source states'
    : undefined;
}

/** @param {number} year */
const daysOfYear = (year) => ({ from: `${year}-01-01`, to: `${year + 1}-01-01` });

/** The part of a year's days that have a report, from 0 to 1. @param {Coverage} coverage @param {number} year */
export function fullness(coverage, year) {
  const { all, done, empty } = dayCounts(coverage, daysOfYear(year));
  return (done - empty) / Math.max(1, all);
}

/** A year in words. @param {Coverage} coverage @param {number} year */
export function describeYear(coverage, year) {
  const row = coverage.years.find((each) => each.year === year);
  if (!row?.daysDue) return 'outside the period of record';
  const reports = row.reports === undefined ? '' : `${formatCount(row.reports)} reports, `;
  const sources = row.sources?.length ? `, from ${row.sources.join(', ')}` : '';
  return `${reports}${daysText(dayCounts(coverage, daysOfYear(year)))}${sources}`;
}

/** The period from the first to the last report. @param {Coverage} coverage */
export function heldPeriod({ years }) {
  const [firsts, lasts] = [years.map((year) => year.firstReport), years.map((year) => year.lastReport)];
  const [first, last] = [firsts.find(Boolean), lasts.findLast(Boolean)];
  return first === undefined || last === undefined
    ? undefined
    : { from: first.slice(0, 10), to: addDays(last.slice(0, 10), 1) };
}

/** How many reports there are, and from when to when. @param {Coverage} coverage */
export function reportsSentence(coverage) {
  const period = heldPeriod(coverage);
  if (period === undefined) return 'The archive holds no report of this station yet.';
  const reports = coverage.years.reduce((sum, year) => sum + (year.reports ?? 0), 0);
  return `${plural(reports, 'report')} from ${period.from} to ${addDays(period.to, -1)}`;
}
