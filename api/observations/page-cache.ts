import { LRUCache } from 'lru-cache';
import { RecordBlock } from './record-block.ts';

/** The coverage of a request as JSON text. */
export type CoverageText = {
  readonly text: string;
  /** Memory that it takes. */
  readonly size: number;
  /** Blocks with at least this read number were read after it. */
  readonly readNumber: number;
  /** The read number of the coverage states that it was made of. */
  readonly statesReadNumber: number;
  /** The UTC day on which it was made: each day a further one is old enough to be done (D13). */
  readonly day: number;
};

/**
 * Blocks of records and texts of coverage, bounded in bytes: the least recently used leave first.
 *
 * A block is true for a request as long as the coverage states of all its stations are those that were read before the
 * block was (`readNumber`): a state is read again when anything has been written about its station
 * (coverage/state-cache.ts). So the coverage of a response never claims more than its records hold (D16).
 */
export class PageCache {
  /** 0: nothing is cached. */
  readonly maxBytes: number;
  /** Pages without a statement for records, and pages with one. */
  hits = 0;
  misses = 0;
  readonly #entries: LRUCache<string, RecordBlock | CoverageText> | undefined;
  /** The blocks of each query in the order of their positions. */
  readonly #blocks = new Map<string, RecordBlock[]>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    if (maxBytes === 0) return;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ size }, key) => size + key.length,
      dispose: (entry) => entry instanceof RecordBlock && this.#unlink(entry),
    });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /**
   * What one walk may read ahead: all walks that are under way together take three quarters of the cache. Otherwise each
   * would drop what another has read and not used yet.
   */
  get bytesOfWalk(): number {
    const walks = [...this.#blocks.values()].filter((blocks) =>
      blocks.some(({ after }) => after !== ''),
    ).length;
    return Math.min(this.maxBytes / 4, (this.maxBytes * 0.75) / Math.max(1, walks));
  }

  coverage(key: string): CoverageText | undefined {
    const entry = this.#entries?.get(key);
    return entry instanceof RecordBlock ? undefined : entry;
  }

  addCoverage(key: string, coverage: CoverageText): void {
    this.#entries?.set(key, coverage);
  }

  /** The block that has what follows a position, if it is at least as new as `readNumber`. */
  find(query: string, position: string, readNumber: number): RecordBlock | undefined {
    const block = this.#blocks.get(query)?.findLast(({ after }) => after <= position);
    if (block === undefined || !block.continues(position)) return undefined;
    if (block.readNumber < readNumber) {
      this.#entries?.delete(keyOf(block));
      return undefined;
    }
    return this.#entries?.get(keyOf(block)) as RecordBlock;
  }

  /** The block whose last record is at a position: a walk comes from it. */
  findBefore(query: string, position: string): RecordBlock | undefined {
    const block = this.#blocks.get(query)?.findLast(({ after }) => after < position);
    return block?.last === position ? block : undefined;
  }

  add(block: RecordBlock): void {
    const key = keyOf(block);
    this.#entries?.set(key, block);
    // A block that is larger than the cache is not added.
    if (this.#entries?.has(key) !== true) return;
    const blocks = this.#blocks.get(block.query) ?? [];
    const at = blocks.findIndex(({ after }) => after > block.after);
    blocks.splice(at < 0 ? blocks.length : at, 0, block);
    this.#blocks.set(block.query, blocks);
  }

  #unlink(block: RecordBlock): void {
    const blocks = this.#blocks.get(block.query)?.filter((each) => each !== block) ?? [];
    if (blocks.length > 0) this.#blocks.set(block.query, blocks);
    else this.#blocks.delete(block.query);
  }
}

function keyOf({ query, after }: RecordBlock): string {
  return `${query} ${after}`;
}
