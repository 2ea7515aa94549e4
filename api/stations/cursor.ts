import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import {
  type PlaceInList,
  STEPS_PER_KM,
  type StationFilters,
} from '../../clickhouse/stations/known-stations.ts';
import { hashFilters, invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';
import { PARAMETERS } from './query-params.ts';

/**
 * The position is the last station of the page before: its code, and before it, where the list is in the order of
 * distances, that distance in units of 10 m.
 */
const VERSION = 1;
const CODE_LENGTH = 4;
const DISTANCE_LENGTH = 3;
const FILTER_NAMES = Object.keys(PARAMETERS).filter((name) => name !== 'limit' && name !== 'cursor');

export function writeCursor({ station, distance_km }: PlaceInList, filters: StationFilters): string {
  const distance = Buffer.alloc(distance_km === undefined ? 0 : DISTANCE_LENGTH);
  if (distance_km !== undefined)
    distance.writeUIntBE(Math.round(distance_km * STEPS_PER_KM), 0, DISTANCE_LENGTH);
  const position = Buffer.concat([distance, Buffer.from(station, 'latin1')]);
  return writeCursorText(VERSION, position, filtersKey(filters));
}

/** The place after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: StationFilters): PlaceInList {
  const lengths = [CODE_LENGTH, DISTANCE_LENGTH + CODE_LENGTH];
  const bytes = readCursorText(cursor, VERSION, lengths, filtersKey(filters), FILTER_NAMES);
  const station = bytes.toString('latin1', bytes.length - CODE_LENGTH);
  const hasDistance = bytes.length > CODE_LENGTH;
  // A client can compute a valid checksum for any position.
  if (!ICAO_CODE.test(station) || hasDistance !== (filters.near !== undefined)) throw invalidCursor();
  if (!hasDistance) return { station };
  return { station, distance_km: bytes.readUIntBE(0, DISTANCE_LENGTH) / STEPS_PER_KM };
}

/** How each filter enters the key: the same for each way to write the same value. */
const KEYS: {
  readonly [Name in keyof StationFilters]-?: (value: NonNullable<StationFilters[Name]>) => unknown;
} = {
  stations: (stations) => stations.toSorted(),
  country: (country) => country,
  bbox: ({ west, south, east, north }) => [west, south, east, north],
  q: (q) => q.toLowerCase(),
  near: ({ latitude, longitude, radius_km }) => [latitude, longitude, radius_km],
};

/**
 * The filters of the first version of the cursor. The key has their values by position; it has any later filter by its
 * name, and only where a request has it, so that cursors stay valid when a filter is added.
 */
const POSITIONAL: readonly (keyof StationFilters)[] = ['stations', 'country', 'bbox', 'q'];

/** Page size and API key are not part of it. */
function filtersKey(filters: StationFilters): Buffer {
  const names = Object.keys(KEYS) as (keyof StationFilters)[];
  const keyOf = (name: keyof StationFilters) =>
    filters[name] === undefined ? null : KEYS[name](filters[name] as never);
  const later = names.filter((name) => !POSITIONAL.includes(name) && filters[name] !== undefined);
  return hashFilters(['stations', ...POSITIONAL.map(keyOf), ...later.map((name) => [name, keyOf(name)])]);
}
