import type { Position } from '../../clickhouse/model/report.ts';
import type { PageReader, PageRequest } from '../../clickhouse/observations/page/page.ts';
import { orderKeyOf, positionOf } from '../../clickhouse/observations/page/records.ts';
import { hasSucceeded } from '../../clickhouse/wait-for-read.ts';
import type { PageCache } from './page-cache.ts';
import { PageOfBlocks, RecordBlock } from './record-block.ts';

// A page is put together from blocks of records. What no block has is read by one statement:
//
//   request -> blocks in memory that continue its position -> a new block for the rest -> page
//
// A request with a cursor belongs to a walk, so its new block holds several pages, twice as many records as the block
// before it: a statement costs much more than its rows. While the client reads these pages, the next block is read.

/** What a block that is read ahead has at most. */
const MAX_RECORDS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Rough size of a record, where no block has shown it yet. */
const RECORD_BYTES = { raw: 256, decoded: 1024 };

/** A page that is wanted: what it selects, and the key of its filters. */
export type WantedPage = { readonly request: PageRequest; readonly query: string };

type SharedRead = {
  readonly count: number;
  readonly readNumber: number;
  readonly block: Promise<RecordBlock>;
};

export class PagesReader {
  readonly #readPage: PageReader;
  readonly #cache: PageCache;
  /** The reads that run now, by query and position. */
  readonly #reads = new Map<string, SharedRead>();

  constructor(readPage: PageReader, cache: PageCache) {
    this.#readPage = readPage;
    this.#cache = cache;
  }

  /**
   * The page if all of it is in memory.
   *
   * @param readNumber of the coverage: older records would hold less than it claims (D16)
   */
  peek({ request, query }: WantedPage, readNumber: number): PageOfBlocks | undefined {
    const page = new PageOfBlocks(startOf(request), request.limit);
    while (!page.isComplete) {
      const block = this.#cache.find(query, page.position, readNumber);
      if (block === undefined) return undefined;
      page.add(block);
    }
    this.#cache.hits += 1;
    return page;
  }

  /** @param lastReadNumber the read number of whatever is read from now on */
  async read(
    wanted: WantedPage,
    readNumber: number,
    lastReadNumber: () => number,
    signal: AbortSignal,
  ): Promise<PageOfBlocks> {
    const { request, query } = wanted;
    const page = new PageOfBlocks(startOf(request), request.limit);
    let isHit = true;
    while (!page.isComplete) {
      let block = this.#cache.find(query, page.position, readNumber);
      if (block === undefined) {
        isHit = false;
        block = await this.#readShared(wanted, page, readNumber, lastReadNumber, signal);
      }
      page.add(block);
    }
    if (isHit) this.#cache.hits += 1;
    else this.#cache.misses += 1;
    return page;
  }

  /**
   * The page with which the block after that of `page` begins, if a walk will soon need it and nothing has it yet.
   *
   * @param page what `wanted` is answered with
   */
  nextToRead({ request, query }: WantedPage, page: PageOfBlocks, readNumber: number): WantedPage | undefined {
    const { lastBlock: block, next } = page;
    if (request.after === undefined || next === undefined || block === undefined || block.isEnd)
      return undefined;
    if (this.#reads.has(`${query} ${block.last}`)) return undefined;
    if (this.#cache.find(query, block.last, readNumber) !== undefined) return undefined;
    // The block after it is mostly twice as large. With less space, each walk would drop what another needs next.
    if (3 * block.size > this.#cache.bytesOfWalk) return undefined;
    return { query, request: { ...request, after: positionOf(block.last) } };
  }

  /** Reads the block that begins with a page from `nextToRead`. */
  async readAhead(
    wanted: WantedPage,
    readNumber: number,
    lastReadNumber: () => number,
    signal: AbortSignal,
  ): Promise<void> {
    const page = new PageOfBlocks(startOf(wanted.request), wanted.request.limit);
    await this.#readShared(wanted, page, readNumber, lastReadNumber, signal);
    this.#cache.readsAhead += 1;
  }

  /** Whether the records of a page are being read for another request, or ahead. */
  isBeingRead({ request, query }: WantedPage, readNumber: number): boolean {
    const read = this.#reads.get(`${query} ${startOf(request)}`);
    return read !== undefined && read.count >= request.limit && read.readNumber >= readNumber;
  }

  /** How many records the next statement of a page reads. */
  countToRead(
    { request, query }: WantedPage,
    page = new PageOfBlocks(startOf(request), request.limit),
  ): number {
    if (request.after === undefined || this.#cache.maxBytes === 0) return page.missing;
    const before = this.#cache.findBefore(query, page.position);
    const bytes =
      before === undefined
        ? (request.decoded ? RECORD_BYTES.decoded : 0) + RECORD_BYTES.raw
        : before.records.bytes.length / before.records.count;
    const most = Math.min(MAX_RECORDS, Math.min(MAX_BYTES, this.#cache.bytesOfWalk) / bytes);
    const wanted = Math.min(2 * (before?.records.count ?? request.limit), most);
    // Whole pages, so that the next ones do not need parts of two blocks.
    const furtherPages = Math.max(0, Math.floor((wanted - page.missing) / request.limit));
    return page.missing + furtherPages * request.limit;
  }

  /** Concurrent requests for the same records share one read; after a failure one of them starts it again. */
  async #readShared(
    wanted: WantedPage,
    page: PageOfBlocks,
    readNumber: number,
    lastReadNumber: () => number,
    signal: AbortSignal,
  ): Promise<RecordBlock> {
    const key = `${wanted.query} ${page.position}`;
    for (;;) {
      const shared = this.#reads.get(key);
      const isUsable =
        shared !== undefined && shared.count >= page.missing && shared.readNumber >= readNumber;
      if (!isUsable) return this.#startRead(key, wanted, page, lastReadNumber(), signal);
      if (await hasSucceeded(shared.block, signal)) return shared.block;
    }
  }

  #startRead(
    key: string,
    wanted: WantedPage,
    page: PageOfBlocks,
    readNumber: number,
    signal: AbortSignal,
  ): Promise<RecordBlock> {
    const count = this.countToRead(wanted, page);
    const block = this.#readBlock(wanted, page.position, count, readNumber, signal).finally(() => {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    });
    const read: SharedRead = { count, readNumber, block };
    this.#reads.set(key, read);
    return block;
  }

  async #readBlock(
    { request, query }: WantedPage,
    after: string,
    count: number,
    readNumber: number,
    signal: AbortSignal,
  ): Promise<RecordBlock> {
    const position: { after?: Position } = after === '' ? {} : { after: positionOf(after) };
    const { records, next } = await this.#readPage({ ...request, limit: count, ...position }, signal);
    const block = new RecordBlock(records, { query, after, isEnd: next === undefined, readNumber });
    this.#cache.add(block);
    return block;
  }
}

function startOf({ after }: PageRequest): string {
  return after === undefined ? '' : orderKeyOf(after);
}
