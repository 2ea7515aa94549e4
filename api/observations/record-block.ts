import type { Position } from '../../clickhouse/model/report.ts';
import {
  bytesOf,
  firstAfter,
  orderKeyAt,
  positionOf,
  type Records,
} from '../../clickhouse/observations/page/records.ts';

/** What a block takes in memory beside its records. */
const OVERHEAD_BYTES = 1024;
/** Entity tags of pages that a block remembers: walks with other page sizes have other pages. */
const MAX_DIGESTS = 64;

let blocks = 0;

/** Consecutive records of one query, read by one request, in memory for the requests that follow. */
export class RecordBlock {
  readonly id = ++blocks;
  /** Key of the filters. */
  readonly query: string;
  readonly records: Records;
  /** Order key of the position that the records follow; empty for the first records of the query. */
  readonly after: string;
  /** Order key of the last record. */
  readonly last: string;
  /** Whether no record followed the last one. */
  readonly isEnd: boolean;
  /** The records are as new as each coverage state with at most this read number. */
  readonly readNumber: number;
  /** Memory that the block takes. */
  readonly size: number;
  readonly #digests = new Map<string, string>();

  constructor(
    records: Records,
    { query, after, isEnd, readNumber }: Pick<RecordBlock, 'query' | 'after' | 'isEnd' | 'readNumber'>,
  ) {
    this.records = records;
    this.query = query;
    this.after = after;
    this.last = records.count > 0 ? orderKeyAt(records, records.count - 1) : after;
    this.isEnd = isEnd;
    this.readNumber = readNumber;
    // The bytes may lie in a larger piece of memory, which they keep alive.
    this.size = records.bytes.buffer.byteLength + records.ends.byteLength + OVERHEAD_BYTES;
  }

  /** Whether it has what follows a position, or knows that nothing does. */
  continues(position: string): boolean {
    return this.after <= position && (position < this.last || this.isEnd);
  }

  /** The digest of a page that begins in this block, computed once. */
  digest(page: string, compute: () => string): string {
    const known = this.#digests.get(page);
    if (known !== undefined) return known;
    if (this.#digests.size >= MAX_DIGESTS) this.#digests.clear();
    const digest = compute();
    this.#digests.set(page, digest);
    return digest;
  }
}

type Slice = { readonly block: RecordBlock; readonly from: number; readonly to: number };

/** A page while it is put together from blocks. */
export class PageOfBlocks {
  readonly #slices: Slice[] = [];
  /** Records that the page still lacks. */
  missing: number;
  /** The order key of the position after which they come. */
  position: string;
  isComplete = false;
  /** Position of the last record, present exactly when another record follows it. */
  next: Position | undefined;

  constructor(position: string, limit: number) {
    this.position = position;
    this.missing = limit;
  }

  /** @param block continues `position` */
  add(block: RecordBlock): void {
    const { records, isEnd } = block;
    const from = firstAfter(records, this.position);
    const to = Math.min(from + this.missing, records.count);
    if (to > from) {
      this.#slices.push({ block, from, to });
      this.position = orderKeyAt(records, to - 1);
      this.missing -= to - from;
    }
    const isLast = isEnd && to === records.count;
    this.isComplete = isLast || this.missing === 0;
    if (this.isComplete && !isLast) this.next = positionOf(this.position);
  }

  /** The block of the last record. */
  get lastBlock(): RecordBlock | undefined {
    return this.#slices.at(-1)?.block;
  }

  get count(): number {
    return this.#slices.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** The records as JSON text, separated by commas. */
  parts(): readonly Buffer[] {
    return this.#slices.map(({ block, from, to }) => bytesOf(block.records, from, to));
  }

  /** @param compute makes it of `parts()` */
  digest(compute: (parts: readonly Buffer[]) => string): string {
    const page = this.#slices.map(({ block, from, to }) => `${block.id} ${from} ${to}`).join();
    const make = () => compute(this.parts());
    return this.#slices[0]?.block.digest(page, make) ?? make();
  }
}
