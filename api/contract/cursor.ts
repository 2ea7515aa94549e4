import { hash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { QueryEndpoint } from './endpoint.ts';

/**
 * A cursor is base64url of the version, the hash of the filters and the position of the last element, and a checksum. It
 * grants no access, so it has no signature: a client may compute one for any position.
 */
const CURSOR_VERSION = 1;
const CHECKSUM_LENGTH = 6;

export function writeCursor(position: object, { filtersKey }: { readonly filtersKey: string }): string {
  const text = JSON.stringify([CURSOR_VERSION, filtersKey, position]);
  return Buffer.concat([Buffer.from(text), checksumOf(text)]).toString('base64url');
}

/** @throws 400 invalid_cursor if it is damaged or of another version, 400 cursor_mismatch if it was issued for other filters */
export function readCursor<Position>(
  endpoint: QueryEndpoint<Position>,
  cursor: string,
  filtersKey: string,
  filterNames: readonly string[],
): Position {
  const [version, key, value] = contentOf(cursor);
  const position = version === CURSOR_VERSION ? endpoint.checkPosition?.(value) : undefined;
  if (position?.kind !== 'valid')
    throw new Problem(
      'invalid_cursor',
      'This cursor is damaged, or was issued by another path or version: start at the first page.',
    );
  if (key !== filtersKey)
    throw new Problem(
      'cursor_mismatch',
      `This cursor was issued for other filters: repeat ${filterNames.slice(0, -1).join(', ')} and ${filterNames.at(-1)}, or start at the first page.`,
    );
  return position.value;
}

function contentOf(cursor: string): readonly unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const end = Math.max(0, bytes.length - CHECKSUM_LENGTH);
  const text = bytes.toString('utf8', 0, end);
  // Decoding skips other characters and spare bits, so many texts would mean the same.
  if (bytes.toString('base64url') !== cursor) return [];
  if (!checksumOf(text).equals(bytes.subarray(end))) return [];
  try {
    const content: unknown = JSON.parse(text);
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

function checksumOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, CHECKSUM_LENGTH);
}
