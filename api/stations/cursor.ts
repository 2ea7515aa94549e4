import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationFilters } from '../../clickhouse/stations/known-stations.ts';
import { hashFilters, invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';

/** The position is the code of the last station of the page before. */
const VERSION = 1;
const POSITION_LENGTH = 4;

export function writeCursor(station: string, filters: StationFilters): string {
  return writeCursorText(VERSION, Buffer.from(station, 'latin1'), filtersKey(filters));
}

/** The station after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: StationFilters): string {
  const bytes = readCursorText(cursor, VERSION, POSITION_LENGTH, filtersKey(filters), Object.keys(KEYS));
  const station = bytes.toString('latin1');
  if (!ICAO_CODE.test(station)) throw invalidCursor();
  return station;
}

/** How each filter enters the key: the same for each way to write the same value. */
const KEYS: {
  readonly [Name in keyof StationFilters]-?: (value: NonNullable<StationFilters[Name]>) => unknown;
} = {
  stations: (stations) => stations.toSorted(),
  country: (country) => country,
  bbox: ({ west, south, east, north }) => [west, south, east, north],
  q: (q) => q.toLowerCase(),
};

/** Page size and API key are not part of it. */
function filtersKey(filters: StationFilters): Buffer {
  const names = Object.keys(KEYS) as (keyof StationFilters)[];
  const keys = names.map((name) => (filters[name] === undefined ? null : KEYS[name](filters[name] as never)));
  return hashFilters(['stations', ...keys]);
}
