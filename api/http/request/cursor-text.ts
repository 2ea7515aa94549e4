import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Problem } from '../../problem.ts';

/**
 * A cursor is base64url of a version, a position, a hash of the filters and a CRC-32 of all of these. It is the position
 * of the last element of the page before. It grants no access, so it has no signature (D23). The whole must be a
 * multiple of three bytes: then the text has no spare bits, and no two texts mean the same.
 */
const FILTERS_LENGTH = 9;
const CHECKSUM_LENGTH = 4;

/** @param filtersHash see `hashFilters` */
export function writeCursorText(version: number, position: Buffer, filtersHash: Buffer): string {
  const signed = Buffer.concat([Buffer.from([version]), position, filtersHash.subarray(0, FILTERS_LENGTH)]);
  const checksum = Buffer.alloc(CHECKSUM_LENGTH);
  checksum.writeUInt32BE(crc32(signed));
  return Buffer.concat([signed, checksum]).toString('base64url');
}

/**
 * The position of a cursor. Refuses a damaged cursor, and one that was issued for other filters.
 *
 * @param positionLengths in bytes, of the positions that a cursor of the endpoint can have
 * @param filterNames what to repeat
 */
export function readCursorText(
  cursor: string,
  version: number,
  positionLengths: readonly number[],
  filtersHash: Buffer,
  filterNames: readonly string[],
): Buffer {
  const bytes = Buffer.from(/^[A-Za-z0-9_-]+$/.test(cursor) ? cursor : '', 'base64url');
  const checksumAt = bytes.length - CHECKSUM_LENGTH;
  const filtersAt = checksumAt - FILTERS_LENGTH;
  const isIntact =
    positionLengths.includes(filtersAt - 1) &&
    bytes.toString('base64url') === cursor &&
    bytes.readUInt32BE(checksumAt) === crc32(bytes.subarray(0, checksumAt)) &&
    bytes[0] === version;
  if (!isIntact) throw invalidCursor();
  if (!bytes.subarray(filtersAt, checksumAt).equals(filtersHash.subarray(0, FILTERS_LENGTH)))
    throw new Problem(
      'cursor_mismatch',
      `This cursor was issued for other filters: repeat ${filterNames.slice(0, -1).join(', ')} and ${filterNames.at(-1)}, or start at the first page.`,
    );
  return bytes.subarray(1, filtersAt);
}

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'This cursor is damaged or was not issued by this version: start at the first page.',
  );
}

/** @param meaning the same value for each way to write the same filters */
export function hashFilters(meaning: unknown): Buffer {
  return hash('sha256', JSON.stringify(meaning), 'buffer');
}
