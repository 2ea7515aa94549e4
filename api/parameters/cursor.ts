import { hash } from 'node:crypto';
import type { HourlyPosition } from '../../clickhouse/hourly.ts';
import { ICAO_CODE, type Position, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import type { PlaceInList } from '../../clickhouse/stations.ts';
import { compileSchema } from '../../clickhouse/validation.ts';
import { Problem } from '../problem.ts';

/**
 * A cursor is base64url of JSON (the version, the hash of the filters, and the position of the last element of the
 * previous page) and a checksum. It grants no access, so it has no signature: a client may compute one for any position
 * and gets what follows that position.
 */
const VERSION = 1;
const CHECKSUM_LENGTH = 6;

/** The last element of a page, by endpoint. */
export type Positions = {
  readonly observations: Position;
  readonly hourly: HourlyPosition;
  readonly stations: PlaceInList;
};

const STATION = { type: 'string', pattern: ICAO_CODE.source };
const TIME = { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to };

const CHECKS = {
  observations: positionCheck({
    observedAt: { ...TIME, multipleOf: 60 },
    station: STATION,
    type: { enum: REPORT_TYPES },
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{8}$' },
  }),
  hourly: positionCheck({ hour: { ...TIME, multipleOf: 3600 }, station: STATION }),
  stations: positionCheck({ station: STATION, distance_km: { type: 'number', minimum: 0, maximum: 1000 } }, [
    'station',
  ]),
};

/** @param properties JSON Schemas of the members of a position */
function positionCheck(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
) {
  return compileSchema<unknown>({ type: 'object', properties, required, additionalProperties: false });
}

export function writeCursor(position: object, { filtersKey }: { readonly filtersKey: string }): string {
  const text = JSON.stringify([VERSION, filtersKey, position]);
  return Buffer.concat([Buffer.from(text), checksumOf(text)]).toString('base64url');
}

/**
 * The position after which the page of a query begins.
 *
 * @param filterNames the parameters that a cursor is bound to
 * @throws 400 invalid_cursor for a damaged cursor or one of another version, 400 cursor_mismatch for one issued for
 * other filters
 */
export function readCursor<Endpoint extends keyof Positions>(
  endpoint: Endpoint,
  cursor: string,
  filtersKey: string,
  filterNames: readonly string[],
): Positions[Endpoint] {
  const [version, key, value] = contentOf(cursor);
  const position = version === VERSION ? CHECKS[endpoint](value) : undefined;
  if (position?.kind !== 'valid')
    throw new Problem(
      'invalid_cursor',
      'This cursor is damaged or was not issued by this version: start at the first page.',
    );
  if (key !== filtersKey)
    throw new Problem(
      'cursor_mismatch',
      `This cursor was issued for other filters: repeat ${filterNames.slice(0, -1).join(', ')} and ${filterNames.at(-1)}, or start at the first page.`,
    );
  return position.value as Positions[Endpoint];
}

/** The values that `writeCursor` put into a cursor; none if it is damaged. */
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
