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

/** A walk that asked for no page in this time does not count as under way. */
const PAUSE_MS = 10_000;

/** The blocks of a query in the order of their positions. */
type QueryBlocks = { blocks: RecordBlock[]; usedAt: number };

/**
 * Blocks of records and texts of coverage, bounded in bytes: the least recently used leave first.
 *
 * A block is true for a request as long as the coverage states of all its stations are those that were read before the
 * block was (`readNumber`): a state is read again when anything has been written about its station
 * (clickhouse/coverage/state/state-cache.ts). So the coverage of a response never claims more than its records hold (D16).
 */
export class PageCache {
  /** 0: nothing is cached. */
  readonly maxBytes: number;
  /** Pages without a statement for records, and pages with one. */
  hits = 0;
  misses = 0;
  /** Blocks that were read before a page needed them. */
  readsAhead = 0;
  /** Blocks that were dropped because something was written about their stations. */
  outdated = 0;
  readonly #entries: LRUCache<string, RecordBlock | CoverageText> | undefined;
  readonly #queries = new Map<string, QueryBlocks>();
  readonly #now: () => number;

  constructor(maxBytes: number, now: () => number = performance.now.bind(performance)) {
    this.maxBytes = maxBytes;
    this.#now = now;
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
   * What one walk may have in memory: all walks that are under way together take three quarters of the cache. Otherwise
   * each would drop what another has read and not used yet.
   */
  get bytesOfWalk(): number {
    const since = this.#now() - PAUSE_MS;
    let walks = 0;
    for (const { blocks, usedAt } of this.#queries.values())
      if (usedAt >= since && blocks.some(({ after }) => after !== '')) walks += 1;
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
    const ofQuery = this.#queries.get(query);
    const block = ofQuery?.blocks.findLast(({ after }) => after <= position);
    if (ofQuery === undefined || block?.continues(position) !== true) return undefined;
    if (block.readNumber < readNumber) {
      this.outdated += 1;
      this.#entries?.delete(keyOf(block));
      return undefined;
    }
    ofQuery.usedAt = this.#now();
    return this.#entries?.get(keyOf(block)) as RecordBlock;
  }

  /** The block whose last record is at a position: a walk comes from it. */
  findBefore(query: string, position: string): RecordBlock | undefined {
    const block = this.#queries.get(query)?.blocks.findLast(({ after }) => after < position);
    return block?.last === position ? block : undefined;
  }

  add(block: RecordBlock): void {
    const key = keyOf(block);
    this.#entries?.set(key, block);
    // A block that is larger than the cache is not added.
    if (this.#entries?.has(key) !== true) return;
    const blocks = this.#queries.get(block.query)?.blocks ?? [];
    const at = blocks.findIndex(({ after }) => after > block.after);
    blocks.splice(at < 0 ? blocks.length : at, 0, block);
    this.#queries.set(block.query, { blocks, usedAt: this.#now() });
  }

  #unlink(block: RecordBlock): void {
    const ofQuery = this.#queries.get(block.query);
    if (ofQuery === undefined) return;
    ofQuery.blocks = ofQuery.blocks.filter((each) => each !== block);
    if (ofQuery.blocks.length === 0) this.#queries.delete(block.query);
  }
}

function keyOf({ query, after }: RecordBlock): string {
  return `${query} ${after}`;
}
