import type { Archive } from '../../clickhouse/archive.ts';
import { type LogicalClock, type Moment, SingleFlight } from '../../clickhouse/concurrency.ts';
import type { CoverageStates } from '../../clickhouse/coverage/state.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import { readPage } from '../../clickhouse/observations/page.ts';
import { orderKeyOf, positionOf } from '../../clickhouse/observations/records.ts';
import type { PageRequest } from '../../clickhouse/observations/selection.ts';
import type { PageCache } from './page-cache.ts';
import { PageBuilder, RecordSegment } from './record-segment.ts';
import { RecordSizes } from './record-sizes.ts';

// A page is assembled from segments of records. One statement reads what no segment has:
//
//   request -> segments in memory that continue its position -> a new segment for the rest -> page
//
// A statement costs much more than its rows, so a new segment holds several pages: for a first page two, or up to 1,000
// records if pages are small; for a request with a cursor, which belongs to a walk, at least 2,000 records and twice as
// many as the segment before it. While the client of a walk reads these pages, the next segment is read.

/** The most records in a segment that is read ahead. */
const MAX_RECORDS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The fewest records that a walk reads, even with small pages: those would need many statements of little use. */
const MIN_RECORDS = 2000;
/** How many records a first page reads if pages are small, and how many pages at most. */
const FIRST_RECORDS = 1000;
const FIRST_PAGES = 10;
/** The coverage of a station, while being built and as text. */
const STATION_BYTES = 512;

/** A requested page: what it selects, and the key of its filters. */
export type PageQuery = { readonly request: PageRequest; readonly query: string };

type SharedRead = {
  readonly count: number;
  readonly readFrom: Moment;
  readonly flight: SingleFlight<RecordSegment>;
};

export class CachedPageReader {
  readonly #archive: Archive;
  readonly #cache: PageCache;
  readonly #clock: LogicalClock;
  readonly #sizes = new RecordSizes();
  /** Running reads, by query and position. */
  readonly #reads = new Map<string, SharedRead>();

  /** @param clock orders reads of records and reads of coverage */
  constructor(archive: Archive, cache: PageCache, clock: LogicalClock) {
    this.#archive = archive;
    this.#cache = cache;
    this.#clock = clock;
  }

  /**
   * The page if all of it is in memory.
   *
   * @param moment of the coverage: older records could hold less than it claims (D16)
   */
  peek({ request, query }: PageQuery, moment: Moment): PageBuilder | undefined {
    const page = new PageBuilder(startOf(request), request.limit);
    while (!page.isComplete) {
      const segment = this.#cache.find(query, page.position, moment);
      if (segment === undefined) return undefined;
      page.add(segment);
    }
    this.#cache.hits += 1;
    return page;
  }

  /** @param states of its stations */
  async read(
    wanted: PageQuery,
    moment: Moment,
    states: CoverageStates,
    signal: AbortSignal,
  ): Promise<PageBuilder> {
    const { request, query } = wanted;
    const page = new PageBuilder(startOf(request), request.limit);
    let isHit = true;
    while (!page.isComplete) {
      let segment = this.#cache.find(query, page.position, moment);
      if (segment === undefined) {
        isHit = false;
        segment = await this.#readShared(wanted, page, moment, states, signal);
      }
      page.add(segment);
    }
    if (isHit) this.#cache.hits += 1;
    else this.#cache.misses += 1;
    return page;
  }

  /**
   * The first page of the segment after that of `page`, if a walk will soon need it and it is not in memory yet.
   *
   * @param page the answer to `wanted`
   */
  nextToRead({ request, query }: PageQuery, page: PageBuilder, moment: Moment): PageQuery | undefined {
    const { lastSegment: segment, next } = page;
    if (request.after === undefined || next === undefined || segment === undefined || segment.isEnd)
      return undefined;
    if (this.#reads.has(`${query} ${segment.last}`)) return undefined;
    if (this.#cache.find(query, segment.last, moment) !== undefined) return undefined;
    // The next segment is usually twice as large. With less space, each walk would evict what another needs next.
    if (3 * segment.size > this.#cache.bytesOfWalk) return undefined;
    return { query, request: { ...request, after: positionOf(segment.last) } };
  }

  /** Reads the segment that begins with a page from `nextToRead`. */
  async readAhead(
    wanted: PageQuery,
    moment: Moment,
    states: CoverageStates,
    signal: AbortSignal,
  ): Promise<void> {
    const page = new PageBuilder(startOf(wanted.request), wanted.request.limit);
    await this.#readShared(wanted, page, moment, states, signal);
    this.#cache.readsAhead += 1;
  }

  /** Whether the records of a page are being read for another request or ahead. */
  isBeingRead({ request, query }: PageQuery, moment: Moment): boolean {
    const read = this.#reads.get(`${query} ${startOf(request)}`);
    return read !== undefined && read.count >= request.limit && read.readFrom >= moment;
  }

  /**
   * The memory that a request needs for its coverage and for a page read for it: the page arrives in pieces and is then
   * joined. Less if another request is reading it.
   */
  bytesToRead(wanted: PageQuery, isBeingRead = false): number {
    const { request, query } = wanted;
    const recordBytes = this.#recordBytes(request, this.#cache.findBefore(query, startOf(request)));
    const page = request.limit * recordBytes;
    const coverage = request.stations.length * STATION_BYTES;
    return coverage + (isBeingRead ? page : Math.max(page, this.#countToRead(wanted) * recordBytes) * 2);
  }

  /** How many records the next statement of a page reads. */
  #countToRead(
    { request, query }: PageQuery,
    page = new PageBuilder(startOf(request), request.limit),
  ): number {
    const { after, condition, limit } = request;
    if (this.#cache.maxBytes === 0 || (after === undefined && condition !== undefined)) return page.missing;
    const before = this.#cache.findBefore(query, page.position);
    const bytes = Math.min(MAX_BYTES, this.#cache.bytesOfWalk);
    const most = Math.min(MAX_RECORDS, bytes / this.#recordBytes(request, before));
    const doubled = 2 * (before?.records.count ?? limit);
    const least = after === undefined ? Math.min(FIRST_PAGES * limit, FIRST_RECORDS) : MIN_RECORDS;
    // A condition can match few records, and finding more takes correspondingly longer.
    const wanted = Math.min(condition === undefined ? Math.max(doubled, least) : doubled, most);
    // Whole pages, so that later pages do not need parts of two segments.
    const furtherPages = Math.max(0, Math.floor((wanted - page.missing) / limit));
    return page.missing + furtherPages * limit;
  }

  /** Concurrent requests for the same records share one read; after a failure, one of them restarts it. */
  #readShared(
    wanted: PageQuery,
    page: PageBuilder,
    moment: Moment,
    states: CoverageStates,
    signal: AbortSignal,
  ): Promise<RecordSegment> {
    const key = `${wanted.query} ${page.position}`;
    const shared = this.#reads.get(key);
    const isUsable = shared !== undefined && shared.count >= page.missing && shared.readFrom >= moment;
    const read: SharedRead = isUsable
      ? shared
      : {
          count: this.#countToRead(wanted, page),
          readFrom: this.#clock.now,
          flight: new SingleFlight(),
        };
    const start = async (cancelled: AbortSignal) => {
      this.#reads.set(key, read);
      try {
        return await this.#readSegment(wanted, page.position, read, states, cancelled);
      } finally {
        if (this.#reads.get(key) === read) this.#reads.delete(key);
      }
    };
    return read.flight.joinUntilSuccess(start, signal);
  }

  async #readSegment(
    { request, query }: PageQuery,
    after: string,
    { count, readFrom }: SharedRead,
    states: CoverageStates,
    signal: AbortSignal,
  ): Promise<RecordSegment> {
    const position: { after?: Position } = after === '' ? {} : { after: positionOf(after) };
    const { records, ...more } = await readPage(
      this.#archive,
      { ...request, limit: count, ...position },
      states,
      signal,
    );
    const segment = new RecordSegment(records, { ...more, query, after, readFrom });
    this.#sizes.add(request, records);
    this.#cache.add(segment);
    return segment;
  }

  #recordBytes(request: PageRequest, before: RecordSegment | undefined): number {
    if (before === undefined || before.records.count === 0) return this.#sizes.estimate(request);
    return before.records.bytes.length / before.records.count;
  }
}

function startOf({ after }: PageRequest): string {
  return after === undefined ? '' : orderKeyOf(after);
}
