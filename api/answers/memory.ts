import { LRUCache } from 'lru-cache';
import { digestParts, type JsonText } from './envelope.ts';

/** A part of responses in memory. */
export type CacheEntry = {
  /** Memory that it takes. */
  readonly size: number;
};

/** Texts and segments of records. */
export type ResponseCache = LRUCache<string, CacheEntry>;

/** Memory of an entry in addition to its bytes, including its key. */
const OVERHEAD_BYTES = 1024;
/**
 * The bytes are outside V8's heap, which has its own limit (package.json). An entry needs up to about 4 kB there, so
 * the number of entries is limited too.
 */
const MAX_ENTRIES = 10_000;

/**
 * A cache limited in bytes: the least recently used entries are evicted first.
 *
 * @param maxBytes 0: nothing is cached
 * @param onRemoved is called with each entry that has been evicted, deleted or replaced
 */
export function openResponseCache(maxBytes: number, onRemoved?: (entry: CacheEntry) => void): ResponseCache {
  return new LRUCache({
    max: MAX_ENTRIES,
    // No entry fits into one byte; 0 would be no limit.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ size }) => OVERHEAD_BYTES + size,
    ...(onRemoved && { dispose: onRemoved }),
  });
}

/** JSON text of a coverage, or of an answer other than a page. */
export type CachedText = JsonText & CacheEntry;

/** A text in its own memory: small buffers share a pool, and each keeps all of it. */
export function toCachedText(text: Buffer): CachedText {
  const bytes = Buffer.allocUnsafeSlow(text.length);
  text.copy(bytes);
  return { parts: bytes.length === 0 ? [] : [bytes], digest: digestParts([bytes]), size: bytes.length };
}
