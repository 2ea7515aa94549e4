import { LRUCache } from 'lru-cache';

export type CacheEntry = {
  /** Bytes of memory. */
  readonly size: number;
};

export type ResponseCache = LRUCache<string, CacheEntry>;

/** Memory of an entry in addition to its bytes, including its key. */
const OVERHEAD_BYTES = 1024;
/** Besides its bytes, an entry takes up to about 4 kB of V8's heap, whose limit package.json has. */
const MAX_ENTRIES = 10_000;

/** Evicts the least recently used entries first. With 0 bytes nothing is cached. */
export function openResponseCache(maxBytes: number): ResponseCache {
  return new LRUCache({
    max: MAX_ENTRIES,
    // No entry fits into one byte; 0 would be no limit.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ size }) => OVERHEAD_BYTES + size,
  });
}
