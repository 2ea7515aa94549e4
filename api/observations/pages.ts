import type { Archive } from '../../clickhouse/archive.ts';
import type { Moment } from '../../clickhouse/concurrency.ts';
import type { CoverageStates } from '../../clickhouse/coverage/rules.ts';
import type { CachedStates } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type FoundRecords, findRecords } from '../../clickhouse/observations/page.ts';
import { bytesBetween, positionAt } from '../../clickhouse/observations/records.ts';
import {
  type CoverageText,
  type Memory,
  peekCoverage,
  readCoverageText,
  STATION_BYTES,
} from '../answers/coverage.ts';
import { toCachedText } from '../answers/envelope.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { Page, PageMemory, PageQuery } from './page-memory.ts';

// A page has its records as text, and where the next page begins. A statement costs much more than its rows, so each statement
// reads several pages, which are kept in memory. While a client requests these, the next pages are read.

/** The most that one statement of a walk reads. */
const MAX_RECORDS_OF_READ = 10_000;
const MAX_BYTES_OF_READ = 4 * 1024 * 1024;
const MAX_PAGES_OF_READ = 100;
/** Records that the statement for a first page reads: a thousand cost no more than a few, and the client may ask for the next. */
const FIRST_RECORDS = 1000;
const FIRST_PAGES = { least: 2, most: 10 };
/** Bytes of a record, with a margin. */
const RAW_BYTES = 256;
const DECODED_BYTES = 512;

export type CoveredPage = {
  readonly page: Page;
  readonly coverage: CoverageText;
  /** Whether no statement for records was needed. */
  readonly isHit: boolean;
};

export type PageContext = Memory & {
  readonly queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'>;
  readonly pages: PageMemory;
};

/** Finds the page in memory or reads it from the archive, then reads ahead for a walk while the queue is idle. */
export async function readPage(context: PageContext, query: PageQuery, client: QueuedRequest) {
  const { pages } = context;
  pages.touch(query);
  const isKnown = pages.has(query);
  const covered = findPage(context, query) ?? (await queryPage(context, query, client));
  if (covered.isHit) pages.hits += 1;
  else pages.misses += 1;
  // While a loader writes about these stations, a read-ahead would be outdated too.
  if (isKnown && !covered.isHit) pages.outdated += 1;
  else readAhead(context, query, covered.page, client);
  return covered;
}

function findPage(context: PageContext, query: PageQuery): CoveredPage | undefined {
  const coverage = peekCoverage(context, query);
  const page = coverage && context.pages.find(query, coverage.readAt);
  return page && { page, coverage, isHit: true };
}

async function queryPage(context: PageContext, query: PageQuery, client: QueuedRequest) {
  const covered = await context.queries.runQuery(
    (archive, signal) => coverAndRead(context, archive, query, signal),
    client,
    bytesToRead(context.pages, query),
  );
  // The pieces in which the answer arrived have been freed.
  await client.reserve(covered.page.size + covered.coverage.size);
  return covered;
}

/** If the client is walking, reads the pages that follow those in memory. */
function readAhead(context: PageContext, query: PageQuery, page: Page, { key }: QueuedRequest): void {
  const { queries, pages } = context;
  const next = { ...query, after: page.readEnd };
  if (page.next === undefined) pages.walks.delete(query.filtersKey);
  if (query.after === undefined || next.after === undefined) return;
  if (pages.has(next) || pages.isReading(next)) return;
  // The client still needs pages of the previous read, so only half of the memory of the walk is left.
  const bytes = countPages(pages, next) * query.limit * bytesOfRecord(query);
  if (2 * bytes > pages.bytesOfWalk) return;
  const read = async (archive: Archive, signal: AbortSignal) => {
    await coverAndRead(context, archive, next, signal);
    pages.readsAhead += 1;
  };
  queries.runIfIdle(read, key, bytesToRead(pages, next));
}

/**
 * Reads coverage and page, which is never older than the states of its stations (D16). If these are in memory, the page is read
 * while changes by loaders are looked up, and read again if a change concerns one of the stations.
 */
export async function coverAndRead(
  context: PageContext,
  archive: Archive,
  query: PageQuery,
  signal: AbortSignal,
): Promise<CoveredPage> {
  const { states, pages } = context;
  const stations = [...query.stations, ALL_STATIONS];
  /** Reads the coverage before the rows, so that the coverage never claims more than the page can hold (D16). */
  const coverPage = async (known: CachedStates): Promise<CoveredPage> => {
    const coverage = await readCoverageText(context, archive, query, known);
    const kept = pages.find(query, coverage.readAt);
    if (kept !== undefined) return { page: kept, coverage, isHit: true };
    const read = (readFrom: Moment) => readPages(pages, archive, query, { states: known.states, readFrom });
    return { page: await pages.share(query, coverage.readAt, read, signal), coverage, isHit: false };
  };
  const remembered = states.recall(stations);
  const current = states.current(stations, signal);
  const early = remembered && coverPage(remembered);
  // A failure of the early read counts only if its states were current.
  const [known] = await Promise.all([current, early?.catch(() => {})]);
  return early !== undefined && known.readAt === remembered?.readAt ? early : coverPage(known);
}

/** Reads as many pages as `countPages` says with one statement, keeps them, and returns the first. */
async function readPages(
  pages: PageMemory,
  archive: Archive,
  query: PageQuery,
  { states, readFrom }: { readonly states: CoverageStates; readonly readFrom: Moment },
): Promise<Page> {
  const count = countPages(pages, query);
  if (query.after !== undefined) pages.walks.set(query.filtersKey, count);
  const found = await findRecords(archive, { ...query, limit: query.limit * count }, states);
  const [first, ...others] = slicePages(found, query, readFrom);
  let after = query.after;
  for (const page of [first, ...others]) {
    pages.add({ ...query, after }, page);
    after = page.next;
  }
  return first;
}

/** Divides records into pages, at least one. Only the last page can be short. */
export function slicePages(
  { records, next }: FoundRecords,
  { limit }: Pick<PageQuery, 'limit'>,
  readFrom: Moment,
): readonly [Page, ...Page[]] {
  const sliceAt = (from: number): Page => {
    const to = Math.min(from + limit, records.count);
    const text = toCachedText(bytesBetween(records, from, to));
    return {
      text,
      size: text.size,
      count: to - from,
      next: to === records.count ? next : positionAt(records, to - 1),
      readFrom,
      readEnd: next,
    };
  };
  const pages: [Page, ...Page[]] = [sliceAt(0)];
  for (let from = limit; from < records.count; from += limit) pages.push(sliceAt(from));
  return pages;
}

/** How many pages one statement reads. */
function countPages(pages: PageMemory, query: PageQuery): number {
  const { after, limit } = query;
  const bytes = Math.min(MAX_BYTES_OF_READ, pages.bytesOfWalk);
  const most = Math.floor(Math.min(MAX_RECORDS_OF_READ, bytes / bytesOfRecord(query)) / limit);
  // Each read of a walk has twice as many pages as the one before.
  const wanted =
    after === undefined ? firstPages(query) : 2 * (pages.walks.get(query.filtersKey) || firstPages(query));
  return Math.max(1, Math.min(most, MAX_PAGES_OF_READ, wanted));
}

function firstPages({ condition, limit }: PageQuery): number {
  // Finding more records that meet a condition takes correspondingly longer.
  if (condition !== undefined) return 1;
  return Math.min(FIRST_PAGES.most, Math.max(FIRST_PAGES.least, Math.floor(FIRST_RECORDS / limit)));
}

function bytesOfRecord({ decoded }: PageQuery): number {
  return RAW_BYTES + (decoded ? DECODED_BYTES : 0);
}

/** Memory for coverage and pages: twice the records, as pieces and joined. Less if another request already reads them. */
function bytesToRead(pages: PageMemory, query: PageQuery): number {
  const count = pages.isReading(query) ? 1 : 2 * countPages(pages, query);
  return query.stations.length * STATION_BYTES + count * query.limit * bytesOfRecord(query);
}
