import type { Moment } from '../../clickhouse/concurrency.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { Page } from '../../clickhouse/observations/page.ts';
import {
  bytesBetween,
  firstAfter,
  orderKeyAt,
  orderKeyOf,
  positionOf,
  type Records,
} from '../../clickhouse/observations/records.ts';
import { digestParts, type JsonText } from '../answers/envelope.ts';

/** Memory of a segment in addition to its records. */
const OVERHEAD_BYTES = 4096;
/** Digests of pages that a segment remembers: walks with other page sizes have other pages. */
const MAX_DIGESTS = 16;

let segments = 0;

/** Consecutive records of one query, read by one request and kept in memory for later requests. */
export class RecordSegment {
  readonly id = ++segments;
  /** Key of the filters. */
  readonly query: string;
  readonly records: Records;
  /** Order key of the position before the records; empty for the first records of the query. */
  readonly after: string;
  /** Order key of the last record, or of the position up to which records were searched. */
  readonly last: string;
  /** The search ended before it found as many records as wanted: a page ends here too. */
  readonly isShort: boolean;
  /** Whether no record followed the last one. */
  readonly isEnd: boolean;
  /** When the read of the records began: they are as new as any coverage read by then. */
  readonly readFrom: Moment;
  /** Memory that the segment takes. */
  readonly size: number;
  /** Digests of the pages that begin in this segment. */
  readonly digests = new Map<string, string>();

  constructor(
    { records, next, isShort = false }: Page,
    { query, after, readFrom }: Pick<RecordSegment, 'query' | 'after' | 'readFrom'>,
  ) {
    this.records = records;
    this.query = query;
    this.after = after;
    if (next !== undefined) this.last = orderKeyOf(next);
    else this.last = records.count > 0 ? orderKeyAt(records, records.count - 1) : after;
    this.isEnd = next === undefined;
    this.isShort = isShort;
    this.readFrom = readFrom;
    // The bytes may be part of a larger buffer, which they keep alive.
    this.size = records.bytes.buffer.byteLength + records.ends.byteLength + OVERHEAD_BYTES;
  }

  /** Whether it has what follows a position, or knows that nothing follows. */
  continues(position: string): boolean {
    return this.after <= position && (position < this.last || this.isEnd);
  }
}

type SegmentRange = { readonly segment: RecordSegment; readonly from: number; readonly to: number };

/** A page while it is assembled from segments; then its records as JSON text. */
export class PageBuilder implements JsonText {
  readonly #ranges: SegmentRange[] = [];
  /** Number of records that the page still lacks. */
  missing: number;
  /** The order key of the position after which they come. */
  position: string;
  isComplete = false;
  /** The position after which the next page begins: see `Page`. */
  next: Position | undefined;

  constructor({ after, limit }: { readonly after?: Position | undefined; readonly limit: number }) {
    this.position = after === undefined ? '' : orderKeyOf(after);
    this.missing = limit;
  }

  /** @param segment continues `position` */
  add(segment: RecordSegment): void {
    const { records, isEnd, isShort } = segment;
    const from = firstAfter(records, this.position);
    const to = Math.min(from + this.missing, records.count);
    if (to > from) {
      this.#ranges.push({ segment, from, to });
      this.position = orderKeyAt(records, to - 1);
      this.missing -= to - from;
    }
    const isUsedUp = to === records.count;
    if (isUsedUp) this.position = segment.last;
    const isLast = isEnd && isUsedUp;
    this.isComplete = isLast || this.missing === 0 || (isShort && isUsedUp);
    if (this.isComplete && !isLast) this.next = positionOf(this.position);
  }

  /** The segment of the last record. */
  get lastSegment(): RecordSegment | undefined {
    return this.#ranges.at(-1)?.segment;
  }

  get bytes(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  get count(): number {
    return this.#ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  get parts(): readonly Buffer[] {
    return this.#ranges.map(({ segment, from, to }) => bytesBetween(segment.records, from, to));
  }

  /** Computed once for all requests of the same page. */
  get digest(): string {
    const page = this.#ranges.map(({ segment, from, to }) => `${segment.id} ${from} ${to}`).join();
    const digests = this.#ranges[0]?.segment.digests ?? new Map<string, string>();
    const known = digests.get(page);
    if (known !== undefined) return known;
    if (digests.size >= MAX_DIGESTS) digests.clear();
    const digest = digestParts(this.parts);
    digests.set(page, digest);
    return digest;
  }
}
