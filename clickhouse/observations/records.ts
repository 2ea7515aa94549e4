import type { Position, ReportType } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';

/** Consecutive records in the order of D12: the JSON text of each, separated by commas. */
export type Records = {
  readonly bytes: Buffer;
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array;
  readonly count: number;
};

const COMMA = 0x2c;
const LINE_BREAK = 0x0a;

// ClickHouse prints each row of a page as one record of the contract, and a line break. The first keys have a fixed
// width, so the place of a record in the order is read without parsing.
const KEY =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"METAR"';
const STATION_AT = KEY.indexOf('KJFK');
const FINGERPRINT_AT = KEY.indexOf('01234567');
const TYPE_AT = KEY.indexOf('METAR');

/** The bytes of the records from number `from` up to number `to`, without a copy. */
export function bytesBetween({ bytes, ends }: Records, from: number, to: number): Buffer {
  return from < to ? bytes.subarray(startOfRecord(ends, from), ends[to - 1]) : bytes.subarray(0, 0);
}

/** Joins lists that follow each other in the archive, up to a number of records; without a copy where there is one list. */
export function joinRecords(lists: readonly Records[], most = Number.POSITIVE_INFINITY): Records {
  const parts = lists.filter(({ count }) => count > 0);
  const ends: number[] = [];
  let start = 0;
  for (const part of parts) {
    for (const end of part.ends) ends.push(start + end);
    start += part.bytes.length + 1;
  }
  const joined = ends.slice(0, most);
  const [first] = parts;
  const bytes =
    first && parts.length === 1
      ? first.bytes
      : Buffer.concat(parts.flatMap((part) => [part.bytes, Buffer.of(COMMA)]));
  return {
    bytes: bytes.subarray(0, joined.at(-1) ?? 0),
    ends: new Uint32Array(joined),
    count: joined.length,
  };
}

/** The place of a record in the order of D12, as a text: texts compare as positions do. */
export function orderKeyAt({ bytes, ends }: Records, n: number): string {
  const start = startOfRecord(ends, n);
  const [station, time, fingerprint] = bytes
    .toString('latin1', start + STATION_AT, start + FINGERPRINT_AT + 8)
    .split('-') as [string, string, string];
  return `${time}${station}${bytes.toString('latin1', start + TYPE_AT, start + TYPE_AT + 5)}${fingerprint}`;
}

export function orderKeyOf({ observedAt, station, type, fingerprint }: Position): string {
  const time = new Date(observedAt * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12);
  return `${time}${station}${type}${fingerprint}`;
}

export function positionOf(orderKey: string): Position {
  const time = orderKey.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d).*/, '$1-$2-$3T$4:$5Z');
  return {
    observedAt: Date.parse(time) / 1000,
    station: orderKey.slice(12, 16),
    type: orderKey.slice(16, 21) as ReportType,
    fingerprint: orderKey.slice(21),
  };
}

/**
 * The position between what has been searched and the rest of a range, which begins at a time and whose next record follows
 * this position, in the order of D12 or in its reverse. Seconds since 1970-01-01T00:00:00Z.
 */
export function positionBefore(
  { from, to }: TimeWindow,
  stations: readonly string[],
  isDescending = false,
): Position {
  const codes = stations.toSorted();
  return isDescending
    ? { observedAt: Math.ceil(to / 60) * 60, station: codes[0] ?? '', type: 'METAR', fingerprint: '00000000' }
    : {
        observedAt: Math.floor((from - 1) / 60) * 60,
        station: codes.at(-1) ?? '',
        type: 'SPECI',
        fingerprint: 'ffffffff',
      };
}

/** Printed records, one a line. It works in place on the server's bytes: a comma replaces each line break. */
export function recordsOfLines(printed: Buffer): Records {
  const ends: number[] = [];
  for (let end = printed.indexOf(LINE_BREAK); end >= 0; end = printed.indexOf(LINE_BREAK, end + 1)) {
    printed[end] = COMMA;
    ends.push(end);
  }
  const length = ends.at(-1) ?? 0;
  if (printed.length !== (ends.length === 0 ? 0 : length + 1))
    throw new Error('The last row of a page has no line break');
  return { bytes: printed.subarray(0, length), ends: new Uint32Array(ends), count: ends.length };
}

function startOfRecord(ends: Uint32Array, n: number): number {
  return n === 0 ? 0 : (ends[n - 1] as number) + 1;
}
