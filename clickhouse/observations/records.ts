import type { Position, ReportType } from '../model/report.ts';

/** Consecutive records in the order of D12: the JSON text of each, separated by commas. */
export type Records = {
  readonly bytes: Buffer;
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array;
  readonly count: number;
};

const COMMA = 0x2c;
const LINE_BREAK = 0x0a;
const LETTER_E = 0x65;

// ClickHouse prints each row of a page as one record of the contract, and a line break. The first keys have a fixed
// width, so the place of a row in the order is read, and two rows of one report are recognized, without parsing.
const KEY =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"METAR"';
const STATION_AT = KEY.indexOf('KJFK');
const FINGERPRINT_AT = KEY.indexOf('01234567');
const TYPE_AT = KEY.indexOf('METAR');
const STATUS_AT = KEY.length + ',"parseStatus":"'.length;

/** The bytes of the records from number `from` up to number `to`, without a copy. */
export function bytesBetween({ bytes, ends }: Records, from: number, to: number): Buffer {
  return from < to ? bytes.subarray(startOf(ends, from), ends[to - 1]) : bytes.subarray(0, 0);
}

/** Joins lists that follow each other in the archive. */
export function joinRecords(lists: readonly Records[]): Records {
  const parts = lists.filter(({ count }) => count > 0);
  const [first, ...others] = parts;
  if (first === undefined) return { bytes: Buffer.alloc(0), ends: new Uint32Array(), count: 0 };
  if (others.length === 0) return first;
  const bytes = Buffer.concat(
    parts.flatMap((part, n) => (n === 0 ? [part.bytes] : [Buffer.of(COMMA), part.bytes])),
  );
  const ends: number[] = [];
  let start = 0;
  for (const part of parts) {
    for (const end of part.ends) ends.push(start + end);
    start += part.bytes.length + 1;
  }
  return { bytes, ends: new Uint32Array(ends), count: ends.length };
}

/** The place of a record in the order of D12, as a text: texts compare as positions do. */
export function orderKeyAt({ bytes, ends }: Records, n: number): string {
  return orderKeyFrom(bytes, startOf(ends, n));
}

/** The same of the record that begins at `start`. */
function orderKeyFrom(bytes: Buffer, start: number): string {
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

/** The last position that a report of these stations before a time can have; seconds since 1970-01-01T00:00:00Z. */
export function lastPositionBefore(time: number, stations: readonly string[]): Position {
  const observedAt = Math.floor((time - 1) / 60) * 60;
  return { observedAt, station: stations.toSorted().at(-1) ?? '', type: 'SPECI', fingerprint: 'ffffffff' };
}

/** The number of the first record whose order key is greater. */
export function firstAfter(records: Records, orderKey: string): number {
  let [low, high] = [0, records.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (orderKeyAt(records, middle) <= orderKey) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the rows of one statement hold. */
type Extract = {
  readonly records: Records;
  /** Whether the rows hold another record, which is not in `records`. */
  readonly isCut: boolean;
  readonly rows: number;
  /** The order key of the last row, `undefined` if there is none. */
  readonly lastKey: string | undefined;
};

/**
 * Extracts the first `count` records from printed rows, each report once and no retracted ones. It works in place on
 * the server's bytes: adjacent records stay where they are; only what follows an omitted row moves forward.
 */
export function extractRecords(printed: Buffer, count: number): Extract {
  const ends: number[] = [];
  let written = 0;
  let rows = 0;
  let isCut = false;
  let previous: number | undefined;
  for (let start = 0; start < printed.length; rows += 1) {
    const end = printed.indexOf(LINE_BREAK, start);
    if (end < 0) throw new Error('The last row of a page has no line break');
    const isOlderVersion = previous !== undefined && haveSameKey(printed, previous, start);
    previous = start;
    if (!isOlderVersion && !isRetracted(printed, start)) {
      if (ends.length === count) {
        isCut = true;
        break;
      }
      previous = ends.length === 0 ? 0 : written + 1;
      if (previous !== start) printed.copyWithin(previous, start, end);
      written = previous + end - start;
      ends.push(written);
      // Where the record lies, its key can be read after the bytes of the row are overwritten.
      printed[written] = COMMA;
    }
    start = end + 1;
  }
  return {
    records: { bytes: printed.subarray(0, written), ends: new Uint32Array(ends), count: ends.length },
    isCut,
    rows,
    lastKey: previous === undefined ? undefined : orderKeyFrom(printed, previous),
  };
}

/** Whether two rows are versions of one report. Rows of one minute differ in their fingerprint, so it comes first. */
function haveSameKey(rows: Buffer, one: number, other: number): boolean {
  for (let n = FINGERPRINT_AT; n < KEY.length; n += 1) if (rows[one + n] !== rows[other + n]) return false;
  for (let n = 0; n < FINGERPRINT_AT; n += 1) if (rows[one + n] !== rows[other + n]) return false;
  return true;
}

/** Of the statuses that a row can have (retracted, raw_only, parsed, failed) one has this second letter. */
function isRetracted(rows: Buffer, start: number): boolean {
  return rows[start + STATUS_AT + 1] === LETTER_E;
}

function startOf(ends: Uint32Array, n: number): number {
  return n === 0 ? 0 : (ends[n - 1] as number) + 1;
}
