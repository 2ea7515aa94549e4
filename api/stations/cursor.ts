import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationFilters } from '../../clickhouse/stations/known-stations.ts';
import { hashFilters, invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';

/** The position is the code of the last station of the page before. */
const VERSION = 1;
const POSITION_LENGTH = 4;

export function writeCursor(station: string, filters: StationFilters): string {
  return writeCursorText(VERSION, Buffer.from(station, 'latin1'), filtersHash(filters));
}

/** The station after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: StationFilters): string {
  const parameters = 'stations, country, bbox and q';
  const bytes = readCursorText(cursor, VERSION, POSITION_LENGTH, filtersHash(filters), parameters);
  const station = bytes.toString('latin1');
  if (!ICAO_CODE.test(station)) throw invalidCursor();
  return station;
}

/** The same for each way to write the same filters. Page size and key are not part of it. */
function filtersHash({ stations, country, bbox, q }: StationFilters): Buffer {
  const box = bbox && [bbox.west, bbox.south, bbox.east, bbox.north];
  return hashFilters([
    'stations',
    stations?.toSorted() ?? null,
    country ?? null,
    box ?? null,
    q?.toLowerCase() ?? null,
  ]);
}
