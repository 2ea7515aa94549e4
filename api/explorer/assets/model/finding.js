import { countryName } from '../format.js';

/**
 * Finds a station by what a user types: a position such as `50.03, 8.57`, or a part of a code, name or country.
 *
 * @typedef {import('./requests.js').ListedStation} ListedStation
 * @typedef {ListedStation & { distance?: number }} Found
 */

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const EARTH_KM = 6371;

/** @param {string} text @returns {[number, number] | undefined} latitude and longitude */
export function parsePoint(text) {
  const [, latitude, longitude] = POINT.exec(text) ?? [];
  const point = /** @type {[number, number]} */ ([Number(latitude), Number(longitude)]);
  return Math.abs(point[0]) <= 90 && Math.abs(point[1]) <= 180 ? point : undefined;
}

/**
 * The matching stations, best first: by code, then by the start of a word in the name, then by other parts and by
 * country; by distance if the text is a position. Stations with reports come before others.
 *
 * @param {readonly ListedStation[]} stations
 * @param {string} text
 * @returns {Found[]}
 */
export function findStations(stations, text) {
  const point = parsePoint(text);
  if (point !== undefined) return nearestStations(stations, ...point);
  const wanted = plain(text.trim());
  if (wanted === '') return [...stations];
  return stations
    .map((station) => ({ station, rank: rankOf(station, wanted) }))
    .filter(({ rank }) => rank < 4)
    .sort(
      (a, b) =>
        Number(a.station.lastReport === undefined) - Number(b.station.lastReport === undefined) ||
        a.rank - b.rank,
    )
    .map(({ station }) => station);
}

/** @param {ListedStation} station @param {string} wanted */
function rankOf({ station, name = '', country }, wanted) {
  if (station.toLowerCase().startsWith(wanted)) return 0;
  const words = plain(name);
  if (words.startsWith(wanted) || words.includes(` ${wanted}`)) return 1;
  if (words.includes(wanted)) return 2;
  return country !== undefined &&
    (plain(countryName(country) ?? '').startsWith(wanted) || country.toLowerCase() === wanted)
    ? 3
    : 4;
}

/** Without accents, so that `montreal` finds Montréal. @param {string} text */
function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** @param {readonly ListedStation[]} stations @param {number} latitude @param {number} longitude @returns {Found[]} */
function nearestStations(stations, latitude, longitude) {
  return stations
    .flatMap((station) =>
      station.latitude === undefined || station.longitude === undefined
        ? []
        : [{ ...station, distance: distanceKm(latitude, longitude, station.latitude, station.longitude) }],
    )
    .sort((a, b) => a.distance - b.distance);
}

/** On a sphere (haversine formula). @param {number} lat1 @param {number} lon1 @param {number} lat2 @param {number} lon2 */
function distanceKm(lat1, lon1, lat2, lon2) {
  const radians = Math.PI / 180;
  const [dLat, dLon] = [(lat2 - lat1) * radians, (lon2 - lon1) * radians];
  const half =
    Math.sin(dLat / 2) ** 2 + Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}
