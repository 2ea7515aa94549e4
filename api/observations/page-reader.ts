import type { Archive } from '../../clickhouse/archive.ts';
import { type Moment, SingleFlight } from '../../clickhouse/concurrency.ts';
import type { CoverageStates } from '../../clickhouse/coverage/state.ts';
import { type CoverageStateCache, withStates } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { readPage } from '../../clickhouse/observations/page.ts';
import { positionOf } from '../../clickhouse/observations/records.ts';
import type { PageRequest } from '../../clickhouse/observations/selection.ts';
import {
  type CoverageText,
  type Memory,
  peekCoverage,
  readCoverageText,
  STATION_BYTES,
} from '../answers/coverage.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import type { PageCache } from './page-cache.ts';
import { PageBuilder, RecordSegment } from './record-segment.ts';

// A page is assembled from segments of records. One statement reads the records that are not in memory:
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
/** Bytes of a record if none has been read yet: more than usual. */
const RAW_BYTES = 256;
const DECODED_BYTES = 512;
/** The part of the estimate of a record's bytes that remains when a page has smaller records. */
const KEPT = 0.9;

/** A requested page, and the key of its filters. */
export type PageQuery = PageRequest & { readonly filtersKey: string };

/** A page, and the coverage of its request. */
export type CoveredPage = { readonly page: PageBuilder; readonly coverage: CoverageText };

/** What a request reads with. */
type Run = {
  readonly archive: Archive;
  /** Of its stations. */
  readonly states: CoverageStates;
  readonly signal: AbortSignal;
};

type SharedRead = {
  readonly count: number;
  readonly readFrom: Moment;
  readonly flight: SingleFlight<RecordSegment>;
};

/** Reads pages and the coverage of their requests: from memory, else with one query. */
export class PageReader {
  readonly #queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'>;
  readonly #cache: PageCache;
  readonly #memory: Memory;
  /** Running reads, by query and position. */
  readonly #reads = new Map<string, SharedRead>();
  /** The estimated bytes of a record, by content. */
  readonly #recordBytes = new Map<string, number>();

  constructor(
    states: CoverageStateCache,
    queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'>,
    cache: PageCache,
  ) {
    this.#queries = queries;
    this.#cache = cache;
    this.#memory = { states, cache: cache.entries };
  }

  /** Reads a page, then reads ahead for a walk if the queue has room to spare. */
  async read(wanted: PageQuery, client: QueuedRequest): Promise<CoveredPage> {
    const outdatedBefore = this.#cache.outdated;
    const covered = this.#peek(wanted) ?? (await this.#query(wanted, client));
    // While a loader writes about these stations, a read-ahead would be outdated too.
    if (this.#cache.outdated === outdatedBefore) this.#readAhead(wanted, covered, client);
    return covered;
  }

  /** The page if all of it is in memory. */
  #peek(wanted: PageQuery): CoveredPage | undefined {
    const coverage = peekCoverage(this.#memory, wanted);
    if (coverage === undefined) return undefined;
    const page = new PageBuilder(wanted);
    while (!page.isComplete) {
      const segment = this.#cache.find(wanted.filtersKey, page.position, coverage.readAt);
      if (segment === undefined) return undefined;
      page.add(segment);
    }
    this.#cache.hits += 1;
    return { page, coverage };
  }

  async #query(wanted: PageQuery, client: QueuedRequest): Promise<CoveredPage> {
    const stations = [...wanted.stations, ALL_STATIONS];
    const covered = await this.#queries.runQuery(
      (archive, signal) =>
        withStates(
          this.#memory.states,
          stations,
          async (known) => {
            // The page reads no row before the coverage is read, so coverage never claims more than the page can hold.
            const coverage = await readCoverageText(this.#memory, archive, wanted, known);
            const run = { archive, states: known.states, signal };
            return { coverage, page: await this.#readPage(run, wanted, coverage.readAt) };
          },
          signal,
        ),
      client,
      this.#bytesToRead(wanted),
    );
    // The pieces it arrived in are freed by now.
    await client.reserve(covered.page.bytes + covered.coverage.size);
    return covered;
  }

  /** @param moment of the coverage: older records could hold less than it claims (D16) */
  async #readPage(run: Run, wanted: PageQuery, moment: Moment): Promise<PageBuilder> {
    const page = new PageBuilder(wanted);
    let isHit = true;
    while (!page.isComplete) {
      const known = this.#cache.find(wanted.filtersKey, page.position, moment);
      isHit &&= known !== undefined;
      page.add(known ?? (await this.#readShared(run, wanted, page, moment)));
    }
    if (isHit) this.#cache.hits += 1;
    else this.#cache.misses += 1;
    return page;
  }

  /** Reads the segment after that of a page, if a walk will soon need it and it is not in memory yet. */
  #readAhead(wanted: PageQuery, { page, coverage: { readAt } }: CoveredPage, { key }: QueuedRequest): void {
    const { lastSegment: segment, next: following } = page;
    if (wanted.after === undefined || following === undefined || segment === undefined || segment.isEnd)
      return;
    const next = { ...wanted, after: positionOf(segment.last) };
    const start = new PageBuilder(next);
    if (this.#reads.has(readKey(next, start))) return;
    if (this.#cache.find(wanted.filtersKey, segment.last, readAt) !== undefined) return;
    // The next segment is usually twice as large. With less space, each walk would evict what another needs next.
    if (3 * segment.size > this.#cache.bytesOfWalk) return;
    const known = this.#memory.states.recall(wanted.stations);
    if (known === undefined) return;
    const work = async (archive: Archive, signal: AbortSignal) => {
      await this.#readShared({ archive, states: known.states, signal }, next, start, readAt);
      this.#cache.readsAhead += 1;
    };
    this.#queries.runIfIdle(work, key, this.#bytesToRead(next));
  }

  /** Concurrent requests for the same records share one read; after a failure, one of them restarts it. */
  #readShared(run: Run, wanted: PageQuery, page: PageBuilder, moment: Moment): Promise<RecordSegment> {
    const key = readKey(wanted, page);
    const shared = this.#reads.get(key);
    const isUsable = shared !== undefined && shared.count >= page.missing && shared.readFrom >= moment;
    const read: SharedRead = isUsable
      ? shared
      : {
          count: this.#countToRead(wanted, page),
          readFrom: this.#memory.states.clock.now,
          flight: new SingleFlight(),
        };
    const start = async () => {
      this.#reads.set(key, read);
      try {
        return await this.#readSegment(run, wanted, page.position, read);
      } finally {
        if (this.#reads.get(key) === read) this.#reads.delete(key);
      }
    };
    return read.flight.joinUntilSuccess(start, run.signal);
  }

  async #readSegment(
    { archive, states }: Run,
    wanted: PageQuery,
    after: string,
    { count, readFrom }: SharedRead,
  ): Promise<RecordSegment> {
    const request = { ...wanted, limit: count, after: after === '' ? undefined : positionOf(after) };
    const found = await readPage(archive, request, states);
    const segment = new RecordSegment(found, { query: wanted.filtersKey, after, readFrom });
    this.#cache.add(segment);
    if (found.records.count > 0) {
      // Larger records count at once, smaller ones gradually.
      const size = bytesOfRecord(segment);
      const before = this.#recordBytes.get(contentOf(wanted)) ?? size;
      this.#recordBytes.set(contentOf(wanted), Math.max(size, before * KEPT + size * (1 - KEPT)));
    }
    return segment;
  }

  /** How many records the next statement of a page reads. */
  #countToRead(wanted: PageQuery, page: PageBuilder): number {
    const { after, condition, limit } = wanted;
    if (after === undefined && condition !== undefined) return page.missing;
    const bytes = Math.min(MAX_BYTES, this.#cache.bytesOfWalk);
    const most = Math.min(MAX_RECORDS, bytes / this.#estimateBytes(wanted, page));
    const before = this.#cache.findBefore(wanted.filtersKey, page.position);
    const doubled = 2 * (before?.records.count ?? limit);
    const least = after === undefined ? Math.min(FIRST_PAGES * limit, FIRST_RECORDS) : MIN_RECORDS;
    // A condition can match few records, and finding more takes correspondingly longer.
    const count = Math.min(condition === undefined ? Math.max(doubled, least) : doubled, most);
    // Whole pages, so that later pages do not need parts of two segments.
    const furtherPages = Math.max(0, Math.floor((count - page.missing) / limit));
    return page.missing + furtherPages * limit;
  }

  /**
   * The memory that a request needs for its coverage and for a page read for it: the page arrives in pieces and is then
   * joined. Less if another request is reading it.
   */
  #bytesToRead(wanted: PageQuery): number {
    const page = new PageBuilder(wanted);
    const recordBytes = this.#estimateBytes(wanted, page);
    const read = this.#reads.get(readKey(wanted, page));
    const isBeingRead = read !== undefined && read.count >= wanted.limit;
    const records = isBeingRead ? wanted.limit : 2 * Math.max(wanted.limit, this.#countToRead(wanted, page));
    return wanted.stations.length * STATION_BYTES + records * recordBytes;
  }

  /** The bytes of a record: of the walk so far, else of other requests with the same content. */
  #estimateBytes(wanted: PageQuery, page: PageBuilder): number {
    const before = this.#cache.findBefore(wanted.filtersKey, page.position);
    if (before !== undefined && before.records.count > 0) return bytesOfRecord(before);
    return this.#recordBytes.get(contentOf(wanted)) ?? RAW_BYTES + (wanted.decoded ? DECODED_BYTES : 0);
  }
}

function readKey({ filtersKey }: PageQuery, { position }: PageBuilder): string {
  return `${filtersKey} ${position}`;
}

function contentOf({ raw, decoded }: PageQuery): string {
  return `${raw} ${decoded}`;
}

function bytesOfRecord({ records }: RecordSegment): number {
  return records.bytes.length / records.count;
}
