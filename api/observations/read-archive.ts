import type { Archive } from '../../clickhouse/archive.ts';
import {
  type CachedStates,
  type CoverageStateCache,
  withStates,
} from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { Query } from '../parameters/query.ts';
import { CachedCoverage } from './cached-coverage.ts';
import { CachedPageReader, type PageQuery } from './cached-page-reader.ts';
import type { CoverageText, PageCache } from './page-cache.ts';
import type { PageBuilder } from './record-segment.ts';

export type ArchivePage = { readonly page: PageBuilder; readonly coverage: CoverageText };

/** Reads pages and the coverage of their requests. */
export class ArchiveReader {
  readonly #states: CoverageStateCache;
  readonly #queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'>;
  readonly #cache: PageCache;
  readonly #coverages: CachedCoverage;
  readonly #pages: CachedPageReader;

  constructor(
    archive: Archive,
    states: CoverageStateCache,
    queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'>,
    cache: PageCache,
  ) {
    this.#states = states;
    this.#queries = queries;
    this.#cache = cache;
    this.#coverages = new CachedCoverage(archive, states, cache);
    this.#pages = new CachedPageReader(archive, cache, states.clock);
  }

  /** Reads from memory, else with one query; then reads ahead for a walk if the queue has room to spare. */
  async read(wanted: PageQuery, client: QueuedRequest): Promise<ArchivePage> {
    const outdatedBefore = this.#cache.outdated;
    const result = await this.#readPage(wanted, client);
    // While a loader writes about these stations, a read-ahead would be outdated too.
    if (this.#cache.outdated === outdatedBefore) this.#readAhead(wanted, result, client);
    return result;
  }

  async #readPage(wanted: PageQuery, client: QueuedRequest): Promise<ArchivePage> {
    const { request } = wanted;
    const known = this.#coverages.peek(request);
    const page = known && this.#pages.peek(wanted, known.readAt);
    if (known !== undefined && page !== undefined) return { page, coverage: known };
    const isBeingRead = known !== undefined && this.#pages.isBeingRead(wanted, known.readAt);
    const read = await this.#queries.runQuery(
      (signal) => {
        const withCoverage = async (known: CachedStates) => {
          // The page reads no row before the coverage is read, so coverage never claims more than the page can hold.
          const coverage = await this.#coverages.read(request, known, signal);
          return { page: await this.#pages.read(wanted, coverage.readAt, known.states, signal), coverage };
        };
        return withStates(this.#states, [...request.stations, ALL_STATIONS], withCoverage, signal);
      },
      client,
      this.#pages.bytesToRead(wanted, isBeingRead),
    );
    // The pieces it arrived in are freed by now.
    await client.reserve(read.page.bytes + read.coverage.size);
    return read;
  }

  #readAhead(wanted: PageQuery, { page, coverage: { readAt } }: ArchivePage, { key }: QueuedRequest): void {
    const next = this.#pages.nextToRead(wanted, page, readAt);
    const known = next && this.#states.recall(next.request.stations);
    if (next === undefined || known === undefined) return;
    const work = (signal: AbortSignal) => this.#pages.readAhead(next, readAt, known.states, signal);
    this.#queries.runIfIdle(work, key, this.#pages.bytesToRead(next));
  }
}

export function toPageQuery(
  { asked, filtersKey, limit }: Pick<Query<Selection>, 'asked' | 'filtersKey' | 'limit'>,
  after: Position | undefined,
): PageQuery {
  return { request: { ...asked, limit, ...(after !== undefined && { after }) }, query: filtersKey };
}
