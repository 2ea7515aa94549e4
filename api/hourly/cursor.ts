import { HourlyGrid, type HourlyPosition } from '../../clickhouse/hourly/hourly-grid.ts';
import { invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';
import { type HourlyFilters, hourlyKey, PARAMETERS } from './query-params.ts';

/** The position has 10 bytes: seconds since 1970 of the hour, the station, and two that are nought. */
const VERSION = 1;
const OFFSET = { hour: 0, station: 4, end: 10 };
const FILTER_NAMES = Object.keys(PARAMETERS).filter((name) => name !== 'limit' && name !== 'cursor');

export function writeHourlyCursor({ hour, station }: HourlyPosition, filters: HourlyFilters): string {
  const bytes = Buffer.alloc(OFFSET.end);
  bytes.writeUInt32BE(hour, OFFSET.hour);
  bytes.write(station, OFFSET.station, 'latin1');
  return writeCursorText(VERSION, bytes, hourlyKey(filters));
}

/** The row after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readHourlyCursor(cursor: string, filters: HourlyFilters): HourlyPosition {
  const bytes = readCursorText(cursor, VERSION, [OFFSET.end], hourlyKey(filters), FILTER_NAMES);
  const position = {
    hour: bytes.readUInt32BE(OFFSET.hour),
    station: bytes.toString('latin1', OFFSET.station, OFFSET.station + 4),
  };
  if (new HourlyGrid(filters.stations, filters).numberOf(position) === undefined) throw invalidCursor();
  return position;
}
