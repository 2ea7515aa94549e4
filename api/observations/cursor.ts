import type { Position } from '../../clickhouse/model/report.ts';
import { clampToArchive } from '../../clickhouse/model/time-window.ts';
import { hashFilters, invalidCursor, readCursorText, writeCursorText } from '../http/request/cursor-text.ts';
import type { Filters } from './query-params.ts';

/** The position has 13 bytes: seconds since 1970, station, type and fingerprint. */
const VERSION = 1;
const OFFSET = { seconds: 0, station: 4, type: 8, fingerprint: 9, end: 13 };

export function writeCursor({ observedAt, station, type, fingerprint }: Position, filters: Filters): string {
  const bytes = Buffer.alloc(OFFSET.end);
  bytes.writeUInt32BE(observedAt, OFFSET.seconds);
  bytes.write(station, OFFSET.station, 'latin1');
  bytes.writeUInt8(type === 'METAR' ? 0 : 1, OFFSET.type);
  bytes.write(fingerprint, OFFSET.fingerprint, 'hex');
  return writeCursorText(VERSION, bytes, filtersHash(filters));
}

/** The position after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: Filters): Position {
  const parameters = 'stations, from, to, type and include';
  const bytes = readCursorText(cursor, VERSION, OFFSET.end, filtersHash(filters), parameters);
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

const hashes = new WeakMap<Filters, Buffer>();

/** The same for each way to write the same filters. Page size and key are not part of it (D23). */
export function filtersHash(filters: Filters): Buffer {
  const known = hashes.get(filters);
  if (known !== undefined) return known;
  const { stations, from, to, type, include } = filters;
  const hash = hashFilters([stations.toSorted(), from, to, type, include.toSorted()]);
  hashes.set(filters, hash);
  return hash;
}
