import type { Position } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { parseId, type ReportId } from './hidden-reports.ts';

/** Consecutive records in the order of D12: the JSON text of each, separated by commas. */
export type Records = {
  readonly bytes: Buffer;
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array;
  readonly count: number;
};

const COMMA = 0x2c;
const LINE_BREAK = 0x0a;

/** The bytes of the records from number `from` up to number `to`, without a copy. */
export function bytesBetween({ bytes, ends }: Records, from: number, to: number): Buffer {
  const start = from === 0 ? 0 : (ends[from - 1] as number) + 1;
  return bytes.subarray(start, from < to ? ends[to - 1] : start);
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
  const [first, second] = parts;
  const all = () => Buffer.concat(parts.flatMap((part) => [part.bytes, Buffer.of(COMMA)]));
  const bytes = first && second === undefined ? first.bytes : all();
  return {
    bytes: bytes.subarray(0, joined.at(-1) ?? 0),
    ends: new Uint32Array(joined),
    count: joined.length,
  };
}

/** The position of a record, which its `id` and `type` name. */
export function positionAt(records: Records, n: number): Position {
  const { id, type } = JSON.parse(`${bytesBetween(records, n, n + 1)}`);
  return { ...(parseId(id) as ReportId), type };
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
  const before = Math.floor((from - 1) / 60) * 60;
  return isDescending
    ? { observedAt: Math.ceil(to / 60) * 60, station: codes[0] ?? '', type: 'METAR', fingerprint: '00000000' }
    : { observedAt: before, station: codes.at(-1) ?? '', type: 'SPECI', fingerprint: 'ffffffff' };
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
