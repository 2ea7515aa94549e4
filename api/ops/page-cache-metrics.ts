import type { Metrics } from './metrics.ts';

type PageCacheStatistics = {
  readonly hits: number;
  readonly misses: number;
  readonly readsAhead: number;
  readonly bytes: number;
};

/** Adds the metrics of the page cache. */
export function measurePageCache(cache: PageCacheStatistics, add: Metrics['add']): void {
  add({
    kind: 'counter',
    name: 'history_page_cache_hits_total',
    help: 'Pages whose records were all in memory.',
    read: () => cache.hits,
  });
  add({
    kind: 'counter',
    name: 'history_page_cache_misses_total',
    help: 'Pages for which records were read.',
    read: () => cache.misses,
  });
  add({
    kind: 'counter',
    name: 'history_page_cache_reads_ahead_total',
    help: 'Reads of records that the next page of a walk will need.',
    read: () => cache.readsAhead,
  });
  add({
    kind: 'gauge',
    name: 'history_page_cache_bytes',
    help: 'Memory of the pages and coverages in the page cache.',
    read: () => cache.bytes,
  });
}
