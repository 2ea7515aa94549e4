import type { Moment } from '../../clickhouse/concurrency.ts';
import { openResponseCache, type ResponseCache } from '../answers/memory.ts';
import { RecordSegment } from './record-segment.ts';

/** A walk that has requested no page for this long no longer counts as active. */
const PAUSE_MS = 10_000;

/** The segments of a query in the order of their positions. */
type QuerySegments = { segments: RecordSegment[]; usedAt: number };

/**
 * Finds the segments of records in memory.
 *
 * A segment is valid for a request as long as the coverage states of all its stations are still those read before the
 * segment (`readFrom`): a state is reread after any write about its station (clickhouse/coverage/state-cache.ts).
 * So the coverage of a response never claims more than its records hold (D16).
 */
export class PageCache {
  /** Also holds texts. */
  readonly entries: ResponseCache;
  /** Pages served without a statement for records, and pages that needed one. */
  hits = 0;
  misses = 0;
  /** Segments that were read before a page needed them. */
  readsAhead = 0;
  /** Segments dropped because something was written about their stations. */
  outdated = 0;
  readonly #queries = new Map<string, QuerySegments>();
  readonly #now: () => number;

  constructor(maxBytes: number, now: () => number = performance.now.bind(performance)) {
    this.entries = openResponseCache(
      maxBytes,
      (entry) => entry instanceof RecordSegment && this.#unlink(entry),
    );
    this.#now = now;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /**
   * The memory that one walk may use: all active walks share three quarters of the cache. Otherwise each would evict
   * what another has read but not used yet.
   */
  get bytesOfWalk(): number {
    const since = this.#now() - PAUSE_MS;
    let walks = 0;
    for (const { segments, usedAt } of this.#queries.values())
      if (usedAt >= since && segments.some(({ after }) => after !== '')) walks += 1;
    const { maxSize } = this.entries;
    return Math.min(maxSize / 4, (maxSize * 0.75) / Math.max(1, walks));
  }

  /** The segment that continues a position, if it is as new as everything that was read at `moment`. */
  find(query: string, position: string, moment: Moment): RecordSegment | undefined {
    const ofQuery = this.#queries.get(query);
    const segment = ofQuery?.segments.findLast(({ after }) => after <= position);
    if (ofQuery === undefined || segment?.continues(position) !== true) return undefined;
    if (segment.readFrom < moment) {
      this.outdated += 1;
      this.entries.delete(keyOf(segment));
      return undefined;
    }
    ofQuery.usedAt = this.#now();
    return this.entries.get(keyOf(segment)) as RecordSegment | undefined;
  }

  /** The segment whose last record is at a position: the one a walk comes from. */
  findBefore(query: string, position: string): RecordSegment | undefined {
    const segment = this.#queries.get(query)?.segments.findLast(({ after }) => after < position);
    return segment?.last === position ? segment : undefined;
  }

  add(segment: RecordSegment): void {
    if (!this.entries.set(keyOf(segment), segment).has(keyOf(segment))) return;
    const segments = this.#queries.get(segment.query)?.segments ?? [];
    const at = segments.findIndex(({ after }) => after > segment.after);
    segments.splice(at < 0 ? segments.length : at, 0, segment);
    this.#queries.set(segment.query, { segments, usedAt: this.#now() });
  }

  #unlink(segment: RecordSegment): void {
    const ofQuery = this.#queries.get(segment.query);
    if (ofQuery === undefined) return;
    ofQuery.segments = ofQuery.segments.filter((each) => each !== segment);
    if (ofQuery.segments.length === 0) this.#queries.delete(segment.query);
  }
}

function keyOf({ query, after }: RecordSegment): string {
  return `${query} ${after}`;
}
