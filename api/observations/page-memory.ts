import { LRUCache } from 'lru-cache';
import { type LogicalClock, type Moment, SingleFlight } from '../../clickhouse/concurrency.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import { idOf } from '../../clickhouse/observations/hidden-reports.ts';
import type { PageRequest } from '../../clickhouse/observations/selection.ts';
import type { JsonText } from '../answers/envelope.ts';
import type { CacheEntry, ResponseCache } from '../answers/memory.ts';

export type PageQuery = PageRequest & { readonly filtersKey: string };

export type Page = CacheEntry & {
  readonly text: JsonText;
  readonly count: number;
  /** The next page begins after the last record, or where the search for a condition ended; `undefined` on the last page. */
  readonly next: Position | undefined;
  /** When its read began: the page is at least as new as any coverage that was read before. */
  readonly readFrom: Moment;
  /** Where the statement ended; it may have read further pages. `undefined` at the end of the range. */
  readonly readEnd: Position | undefined;
};

/** A walk that has requested no page for this long no longer counts as active. */
const PAUSE_MS = 10_000;
const MAX_WALKS = 1000;
/** The share of the memory for pages of walks; the rest is for first pages and other texts. */
const SHARE_OF_WALKS = 0.75;

/**
 * Whole pages in memory, by filters, limit and position.
 *
 * A page is valid for a request as long as the coverage states of all its stations are still those read before the page
 * (`readFrom`): a state is reread after any write about its station (clickhouse/coverage/state-cache.ts). So the coverage of
 * a response never claims more than its records hold (D16).
 */
export class PageMemory {
  /** Pages served without a statement for records, and pages that needed one. */
  hits = 0;
  misses = 0;
  /** Reads of pages that no client had requested yet. */
  readsAhead = 0;
  /** Pages read again because something was written about their stations. */
  outdated = 0;
  readonly #memory: ResponseCache;
  readonly #clock: LogicalClock;
  /** Running reads by their first page. */
  readonly #reads = new Map<string, { readonly readFrom: Moment; readonly flight: SingleFlight<Page> }>();
  /** How many pages the last read of each active walk had, by its filters; 0 before its first read. */
  readonly walks: LRUCache<string, number>;

  /** @param clock of the coverage states */
  constructor(
    memory: ResponseCache,
    clock: LogicalClock,
    now: () => number = performance.now.bind(performance),
  ) {
    this.#memory = memory;
    this.#clock = clock;
    this.walks = new LRUCache({ max: MAX_WALKS, ttl: PAUSE_MS, ttlResolution: 0, perf: { now } });
  }

  get bytes(): number {
    return this.#memory.calculatedSize;
  }

  /** The most memory of one walk. With more, walks would evict pages that another walk has not requested yet. */
  get bytesOfWalk(): number {
    this.walks.purgeStale();
    return (this.#memory.maxSize * SHARE_OF_WALKS) / Math.max(1, this.walks.size);
  }

  /** The page, if it is as new as everything that was read at `moment`. */
  find(query: PageQuery, moment: Moment): Page | undefined {
    const page = this.#memory.peek(pageKey(query)) as Page | undefined;
    return page !== undefined && page.readFrom >= moment ? page : undefined;
  }

  /** Notes that a client has requested a page: its walk stays active, or the first page stays in memory. */
  touch(query: PageQuery): void {
    if (query.after !== undefined) this.walks.set(query.filtersKey, this.walks.get(query.filtersKey) ?? 0);
    // A walk requests each page once, so only first pages are kept longer.
    else this.#memory.get(pageKey(query));
  }

  has(query: PageQuery): boolean {
    return this.#memory.has(pageKey(query));
  }

  isReading(query: PageQuery): boolean {
    return this.#reads.has(pageKey(query));
  }

  /** Concurrent requests share one read, no older than `moment` (D16); after a failure, one of them restarts it. */
  share(query: PageQuery, moment: Moment, read: (readFrom: Moment) => Promise<Page>, signal: AbortSignal) {
    const key = pageKey(query);
    const running = this.#reads.get(key);
    const isUsable = running !== undefined && running.readFrom >= moment;
    const shared = isUsable ? running : { readFrom: this.#clock.now, flight: new SingleFlight<Page>() };
    const start = async () => {
      this.#reads.set(key, shared);
      try {
        return await read(shared.readFrom);
      } finally {
        if (this.#reads.get(key) === shared) this.#reads.delete(key);
      }
    };
    return shared.flight.joinUntilSuccess(start, signal);
  }

  add(query: PageQuery, page: Page): void {
    this.#memory.set(pageKey(query), page);
  }
}

function pageKey({ filtersKey, limit, after }: PageQuery): string {
  return `page ${filtersKey} ${limit} ${after === undefined ? '' : `${idOf(after)} ${after.type}`}`;
}
