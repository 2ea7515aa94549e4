import type { Archive } from '../../clickhouse/archive.ts';
import {
  type CachedStates,
  type CoverageStateCache,
  withStates,
} from '../../clickhouse/coverage/state/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { QueryRunners } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { Query } from '../parameters/query.ts';
import { CachedCoverage } from './cached-coverage.ts';
import { CachedPageReader, type PageQuery } from './cached-page-reader.ts';
import type { CoverageText, PageCache } from './page-cache.ts';
import type { PageBuilder } from './record-segment.ts';

export type ArchivePage = { readonly page: PageBuilder; readonly coverage: CoverageText };

export type ArchiveReader = (wanted: PageQuery, client: QueuedRequest) => Promise<ArchivePage>;

/**
 * Reads a page and the coverage of its request: from memory, else as one query of the query limits. Then it reads ahead
 * for a walk where the limits have something to spare.
 */
export function archiveReader(
  archive: Archive,
  states: CoverageStateCache,
  { runQuery, runIfIdle }: Pick<QueryRunners, 'runQuery' | 'runIfIdle'>,
  cache: PageCache,
): ArchiveReader {
  const coverages = new CachedCoverage(archive, states, cache);
  const pages = new CachedPageReader(archive, cache, states.clock);

  async function readPage(wanted: PageQuery, client: QueuedRequest): Promise<ArchivePage> {
    const { request } = wanted;
    const known = coverages.peek(request);
    const page = known && pages.peek(wanted, known.readAt);
    if (known !== undefined && page !== undefined) return { page, coverage: known };
    const isBeingRead = known !== undefined && pages.isBeingRead(wanted, known.readAt);
    const read = await runQuery(
      (signal) => {
        const withCoverage = async (known: CachedStates) => {
          // The page reads no row before the coverage is read: so coverage never claims more than the page can hold (D16).
          const coverage = await coverages.read(request, known, signal);
          return { page: await pages.read(wanted, coverage.readAt, known.states, signal), coverage };
        };
        return withStates(states, [...request.stations, ALL_STATIONS], withCoverage, signal);
      },
      client,
      pages.bytesToRead(wanted, isBeingRead),
    );
    // The pieces in which it came are gone.
    await client.reserve(read.page.bytes + read.coverage.size);
    return read;
  }

  function readAhead(wanted: PageQuery, { page, coverage: { readAt } }: ArchivePage, { key }: QueuedRequest) {
    const next = pages.nextToRead(wanted, page, readAt);
    const known = next && states.recall(next.request.stations);
    if (next === undefined || known === undefined) return;
    const work = (signal: AbortSignal) => pages.readAhead(next, readAt, known.states, signal);
    runIfIdle(work, key, pages.bytesToRead(next));
  }

  return async (wanted, client) => {
    const outdatedBefore = cache.outdated;
    const result = await readPage(wanted, client);
    // While a loader writes about these stations, what is read ahead would be outdated too.
    if (cache.outdated === outdatedBefore) readAhead(wanted, result, client);
    return result;
  };
}

export function toPageQuery(
  { asked, filtersKey, limit }: Pick<Query<Selection>, 'asked' | 'filtersKey' | 'limit'>,
  after: Position | undefined,
): PageQuery {
  return { request: { ...asked, limit, ...(after !== undefined && { after }) }, query: filtersKey };
}
