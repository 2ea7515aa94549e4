import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Position } from '../../clickhouse/model/report.ts';
import { clampToArchive } from '../../clickhouse/model/time-window.ts';
import { Problem } from '../http/problem.ts';
import type { Filters } from './query-params.ts';

/**
 * A cursor is base64url of 27 bytes: version, seconds since 1970, station, type, fingerprint, a hash of the filters,
 * and a CRC-32 of all of these. (27 bytes fill 36 characters without spare bits, so no two texts mean the same.) It is
 * the position of the last record of the page before. It grants no access, so it has no signature (D23).
 */
const VERSION = 1;
const OFFSET = {
  version: 0,
  seconds: 1,
  station: 5,
  type: 9,
  fingerprint: 10,
  filters: 14,
  checksum: 23,
  end: 27,
};
const FORMAT = /^[A-Za-z0-9_-]{36}$/;

export function writeCursor({ observedAt, station, type, fingerprint }: Position, filters: Filters): string {
  const bytes = Buffer.alloc(OFFSET.end);
  bytes.writeUInt8(VERSION, OFFSET.version);
  bytes.writeUInt32BE(observedAt, OFFSET.seconds);
  bytes.write(station, OFFSET.station, 'latin1');
  bytes.writeUInt8(type === 'METAR' ? 0 : 1, OFFSET.type);
  bytes.write(fingerprint, OFFSET.fingerprint, 'hex');
  shortHash(filters).copy(bytes, OFFSET.filters);
  bytes.writeUInt32BE(checksum(bytes), OFFSET.checksum);
  return bytes.toString('base64url');
}

/** The position after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: Filters): Position {
  const bytes = Buffer.from(FORMAT.test(cursor) ? cursor : '', 'base64url');
  if (!isIntact(bytes)) throw invalidCursor();
  if (!bytes.subarray(OFFSET.filters, OFFSET.checksum).equals(shortHash(filters)))
    throw new Problem(
      'cursor_mismatch',
      'This cursor was issued for other filters: repeat stations, from, to, type and include, or start at the first page.',
    );
  const position: Position = {
    observedAt: bytes.readUInt32BE(OFFSET.seconds),
    station: bytes.toString('latin1', OFFSET.station, OFFSET.type),
    type: bytes.readUInt8(OFFSET.type) === 0 ? 'METAR' : 'SPECI',
    fingerprint: bytes.toString('hex', OFFSET.fingerprint, OFFSET.filters),
  };
  if (!canSelect(filters, position)) throw invalidCursor();
  return position;
}

function isIntact(bytes: Buffer): boolean {
  return (
    bytes.length === OFFSET.end &&
    bytes.readUInt32BE(OFFSET.checksum) === checksum(bytes) &&
    bytes.readUInt8(OFFSET.version) === VERSION
  );
}

/** Whether the filters can select this position: a client can compute a valid checksum for any position. */
function canSelect(filters: Filters, { station, observedAt }: Position): boolean {
  const window = clampToArchive(filters);
  const isInWindow = window !== undefined && observedAt >= window.from && observedAt < window.to;
  return isInWindow && filters.stations.includes(station);
}

function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'This cursor is damaged or was not issued by this version: start at the first page.',
  );
}

const hashes = new WeakMap<Filters, Buffer>();

/** The same for each way to write the same filters. Page size and key are not part of it (D23). */
export function hashFilters(filters: Filters): Buffer {
  const known = hashes.get(filters);
  if (known !== undefined) return known;
  const { stations, from, to, type, include } = filters;
  const canonical = JSON.stringify([stations.toSorted(), from, to, type, include.toSorted()]);
  const hashed = hash('sha256', canonical, 'buffer');
  hashes.set(filters, hashed);
  return hashed;
}

/** As much of it as a cursor has. */
function shortHash(filters: Filters): Buffer {
  return hashFilters(filters).subarray(0, OFFSET.checksum - OFFSET.filters);
}

function checksum(bytes: Buffer): number {
  return crc32(bytes.subarray(0, OFFSET.checksum));
}
