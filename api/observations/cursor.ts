import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Position } from '../../clickhouse/model/report.ts';
import { clampToArchive } from '../../clickhouse/model/time-window.ts';
import { Problem } from '../http/problem.ts';
import type { Filters } from './query-params.ts';

/**
 * A cursor is base64url of 27 bytes (so no text has spare bits): version, seconds since 1970, station, type,
 * fingerprint, a hash of the filters' meaning, and a CRC-32 over all of it. It is the position of the last record
 * sent and grants nothing, so it carries no signature (D23).
 */
const VERSION = 1;
const LAYOUT = {
  version: 0,
  seconds: 1,
  station: 5,
  type: 9,
  fingerprint: 10,
  filters: 14,
  checksum: 23,
  end: 27,
};
const FORM = /^[A-Za-z0-9_-]{36}$/;

export function writeCursor({ observedAt, station, type, fingerprint }: Position, filters: Filters): string {
  const bytes = Buffer.alloc(LAYOUT.end);
  bytes.writeUInt8(VERSION, LAYOUT.version);
  bytes.writeUInt32BE(observedAt, LAYOUT.seconds);
  bytes.write(station, LAYOUT.station, 'latin1');
  bytes.writeUInt8(type === 'METAR' ? 0 : 1, LAYOUT.type);
  bytes.write(fingerprint, LAYOUT.fingerprint, 'hex');
  meaningOf(filters).copy(bytes, LAYOUT.filters);
  bytes.writeUInt32BE(checksumOf(bytes), LAYOUT.checksum);
  return bytes.toString('base64url');
}

/** The position after which the page begins. Refuses a damaged cursor, and one that was issued for other filters. */
export function readCursor(cursor: string, filters: Filters): Position {
  const bytes = Buffer.from(FORM.test(cursor) ? cursor : '', 'base64url');
  if (!isWhole(bytes)) throw invalid();
  if (!bytes.subarray(LAYOUT.filters, LAYOUT.checksum).equals(meaningOf(filters)))
    throw new Problem(
      'cursor_mismatch',
      'This cursor was issued for other filters: repeat stations, from, to, type and include, or start at the first page.',
    );
  const position: Position = {
    observedAt: bytes.readUInt32BE(LAYOUT.seconds),
    station: bytes.toString('latin1', LAYOUT.station, LAYOUT.type),
    type: bytes.readUInt8(LAYOUT.type) === 0 ? 'METAR' : 'SPECI',
    fingerprint: bytes.toString('hex', LAYOUT.fingerprint, LAYOUT.filters),
  };
  if (!isAmong(filters, position)) throw invalid();
  return position;
}

function isWhole(bytes: Buffer): boolean {
  return (
    bytes.length === LAYOUT.end &&
    bytes.readUInt32BE(LAYOUT.checksum) === checksumOf(bytes) &&
    bytes.readUInt8(LAYOUT.version) === VERSION
  );
}

/** A record that the filters can select. Anyone can compute a checksum, so what it covers is looked at too. */
function isAmong(filters: Filters, { station, observedAt }: Position): boolean {
  const range = clampToArchive(filters);
  const isInside = range !== undefined && observedAt >= range.from && observedAt < range.to;
  return isInside && filters.stations.includes(station);
}

function invalid(): Problem {
  return new Problem(
    'invalid_cursor',
    'This cursor is damaged or was not issued by this version: start at the first page.',
  );
}

/** The same 9 bytes for every spelling of the same filters; neither page size nor key are in them. */
function meaningOf({ stations, from, to, type, include }: Filters): Buffer {
  const meaning = JSON.stringify([stations.toSorted(), from, to, type, include.toSorted()]);
  return hash('sha256', meaning, 'buffer').subarray(0, LAYOUT.checksum - LAYOUT.filters);
}

function checksumOf(bytes: Buffer): number {
  return crc32(bytes.subarray(0, LAYOUT.checksum));
}
