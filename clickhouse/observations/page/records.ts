import type { Position, ReportType } from '../../model/report.ts';

/** Consecutive records in the order of D12: the JSON text of each, separated by commas. */
export type Records = {
  readonly bytes: Buffer;
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array;
  readonly count: number;
};

const COMMA = Buffer.from(',');

// The first key of a record, `{"id":"KJFK-200501010000-01234567"`, has a fixed width.
const TIME_AT = '{"id":"KJFK-'.length;
const TYPE_AT =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"'.length;

/** The bytes of the records from number `from` up to number `to`, without a copy. */
export function bytesBetween({ bytes, ends }: Records, from: number, to: number): Buffer {
  return from < to ? bytes.subarray(startOf(ends, from), ends[to - 1]) : bytes.subarray(0, 0);
}

/** Joins lists that follow each other in the archive. */
export function joinRecords(parts: readonly Records[]): Records {
  const [first, ...others] = parts;
  if (first === undefined) return { bytes: Buffer.alloc(0), ends: new Uint32Array(), count: 0 };
  if (others.length === 0) return first;
  const bytes = Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part.bytes] : [COMMA, part.bytes])));
  const ends: number[] = [];
  let start = 0;
  for (const part of parts) {
    for (const end of part.ends) ends.push(start + end);
    start += part.bytes.length + COMMA.length;
  }
  return { bytes, ends: new Uint32Array(ends), count: ends.length };
}

/** The place of a record in the order of D12, as a text: texts compare as positions do. */
export function orderKeyAt({ bytes, ends }: Records, n: number): string {
  return orderKeyFrom(bytes, startOf(ends, n));
}

/** The same of the record that begins at `start`. */
export function orderKeyFrom(bytes: Buffer, start: number): string {
  const [station, time, fingerprint] = bytes
    .toString('latin1', start + TIME_AT - 5, start + TIME_AT + 21)
    .split('-') as [string, string, string];
  return `${time}${station}${bytes.toString('latin1', start + TYPE_AT, start + TYPE_AT + 5)}${fingerprint}`;
}

export function orderKeyOf({ observedAt, station, type, fingerprint }: Position): string {
  const time = new Date(observedAt * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12);
  return `${time}${station}${type}${fingerprint}`;
}

export function positionOf(orderKey: string): Position {
  const [year, month, day, hour, minute] = [
    orderKey.slice(0, 4),
    ...[4, 6, 8, 10].map((at) => orderKey.slice(at, at + 2)),
  ].map(Number) as [number, number, number, number, number];
  return {
    observedAt: Date.UTC(year, month - 1, day, hour, minute) / 1000,
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

function startOf(ends: Uint32Array, n: number): number {
  return n === 0 ? 0 : (ends[n - 1] as number) + 1;
}
