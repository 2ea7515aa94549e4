import type { Position } from '../../clickhouse/model/report.ts';
import { clampToArchive } from '../../clickhouse/model/time-window.ts';
import { invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';
import { FILTER_NAMES, type Filters, filtersKey } from './filters.ts';

/** The position has 13 bytes: seconds since 1970, station, type and fingerprint. */
const VERSION = 1;
const OFFSET = { seconds: 0, station: 4, type: 8, fingerprint: 9, end: 13 };

export function writeCursor({ observedAt, station, type, fingerprint }: Position, filters: Filters): string {
  const bytes = Buffer.alloc(OFFSET.end);
  bytes.writeUInt32BE(observedAt, OFFSET.seconds);
  bytes.write(station, OFFSET.station, 'latin1');
  bytes.writeUInt8(type === 'METAR' ? 0 : 1, OFFSET.type);
  bytes.write(fingerprint, OFFSET.fingerprint, 'hex');
  return writeCursorText(VERSION, bytes, filtersKey(filters));
}

/** The position after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: Filters): Position {
  const bytes = readCursorText(cursor, VERSION, [OFFSET.end], filtersKey(filters), FILTER_NAMES);
  const position: Position = {
    observedAt: bytes.readUInt32BE(OFFSET.seconds),
    station: bytes.toString('latin1', OFFSET.station, OFFSET.type),
    type: bytes.readUInt8(OFFSET.type) === 0 ? 'METAR' : 'SPECI',
    fingerprint: bytes.toString('hex', OFFSET.fingerprint, OFFSET.end),
  };
  if (!canSelect(filters, position)) throw invalidCursor();
  return position;
}

/** Whether the filters can select this position: a client can compute a valid checksum for any position. */
function canSelect(filters: Filters, { station, observedAt }: Position): boolean {
  const window = clampToArchive(filters);
  const isInWindow = window !== undefined && observedAt >= window.from && observedAt < window.to;
  return isInWindow && filters.stations.includes(station);
}
