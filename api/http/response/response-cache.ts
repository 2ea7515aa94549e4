import { LRUCache } from 'lru-cache';

/** A part of responses in memory. */
export type CacheEntry = {
  /** Memory that it takes. */
  readonly size: number;
};

/** Memory of an entry in addition to its bytes, including its key. */
const OVERHEAD_BYTES = 1024;
/**
 * The bytes are outside V8's heap, which has its own limit (package.json). An entry needs up to about 4 kB there, so
 * the number of entries is limited too.
 */
const MAX_ENTRIES = 10_000;

/** Texts, compressed bodies and segments of records, limited in bytes: the least recently used are evicted first. */
export class ResponseCache {
  /** 0: nothing is cached. */
  readonly maxBytes: number;
  readonly #entries: LRUCache<string, CacheEntry>;

  /** @param onRemoved is called with each entry that has been evicted, deleted or replaced */
  constructor(maxBytes: number, onRemoved?: (entry: CacheEntry) => void) {
    this.maxBytes = maxBytes;
    this.#entries = new LRUCache({
      max: MAX_ENTRIES,
      // No entry fits into one byte; 0 would be no limit.
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ size }) => OVERHEAD_BYTES + size,
      ...(onRemoved && { dispose: onRemoved }),
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get<Entry extends CacheEntry>(key: string): Entry | undefined {
    return this.#entries.get(key) as Entry | undefined;
  }

  /** @returns whether it was added: one that is larger than the cache is not */
  add(key: string, entry: CacheEntry): boolean {
    return this.#entries.set(key, entry).has(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
