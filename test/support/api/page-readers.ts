import { openResponseCache } from '../../../api/answers/memory.ts';
import { PageMemory, type PageQuery } from '../../../api/observations/page-memory.ts';
import { readPage } from '../../../api/observations/pages.ts';
import type { ArchiveQueries } from '../../../api/ops/query-limits.ts';
import { QueuedRequest, RequestQueue } from '../../../api/ops/request-queue.ts';
import type { Archive } from '../../../clickhouse/archive.ts';
import { CoverageStateCache } from '../../../clickhouse/coverage/state-cache.ts';
import { type Position, REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import type { Selection } from '../../../clickhouse/observations/selection.ts';
import { NO_LIMIT, type useArchive } from '../archive/archive.ts';

export const MB = 1024 * 1024;
export const DAY_SECONDS = 86_400;
export const START = Date.parse('2024-01-01T00:00:00Z') / 1000;
const QUEUE = new RequestQueue({ queriesAtOnce: 4, streamsAtOnce: 2, memoryBytes: 64 * MB });
export const CLIENT = new QueuedRequest(QUEUE, { key: 'test', length: 100, disconnected: NO_LIMIT });

export const selectionOf = (more: Partial<Selection> = {}): Selection => ({
  stations: ['XAAA'],
  from: START,
  to: START + 366 * DAY_SECONDS,
  types: REPORT_TYPES,
  raw: true,
  decoded: false,
  ...more,
});

export const pageQuery = (selection: Selection, limit: number, after: Position | undefined): PageQuery => ({
  ...selection,
  limit,
  after,
  filtersKey: JSON.stringify(selection),
});

/** Reads pages as the service does over an archive. It notes its statements, and a test moves its clock. */
export class PageReaders {
  statements: string[] = [];
  /** Milliseconds. */
  clock = 0;
  readonly #archive: ReturnType<typeof useArchive>;
  #readsAhead: Promise<unknown>[] = [];

  constructor(archive: ReturnType<typeof useArchive>) {
    this.#archive = archive;
  }

  /** Starts a reader with an empty cache. */
  start(cacheBytes = 64 * MB) {
    const archive = this.#archive.client;
    const client: Archive = {
      ...archive,
      select: (select, signal) => {
        this.statements.push(select.query);
        return archive.select(select, signal);
      },
    };
    const now = () => this.clock;
    const states = new CoverageStateCache(client, now);
    const { signal } = new AbortController();
    const queries: Pick<ArchiveQueries, 'runQuery' | 'runIfIdle'> = {
      runQuery: (work) => work(client, signal),
      runIfIdle: (work) => void this.#readsAhead.push(work(client, signal)),
    };
    const cache = openResponseCache(cacheBytes);
    const pages = new PageMemory(cache, states.clock, now);
    const read = (query: PageQuery) => readPage({ states, queries, cache, pages }, query, CLIENT);
    return { read, pages };
  }

  async finishReadsAhead(): Promise<void> {
    await Promise.all(this.#readsAhead);
    this.#readsAhead = [];
  }

  /** The statements that read records. */
  pageStatements = () => this.statements.filter((query) => query.includes('parseStatus'));
}
