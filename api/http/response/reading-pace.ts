/** The age at which bytes that the client has read count a third. */
const MEMORY_MS = 2000;

/** How quickly a client reads a response. */
export class ReadingPace {
  readonly #bytes: number;
  readonly #queued: () => number;
  /** Share of the bytes that the client has read, weighted by age: 1 for a new response. */
  #recentShare = 1;
  #left: number;
  #measuredAt = performance.now();

  /** @param queued bytes that wait in the connection */
  constructor(bytes: number, queued: () => number) {
    this.#bytes = bytes;
    this.#queued = queued;
    this.#left = bytes;
  }

  /** How much the client has read recently, from 0 to 1. */
  measure(): number {
    const now = performance.now();
    // Nothing is queued before the body is written, and when the response is about to close.
    const left = this.#queued() || this.#left;
    const decay = Math.exp((this.#measuredAt - now) / MEMORY_MS);
    const readShare = Math.max(0, this.#left - left) / this.#bytes;
    this.#recentShare = Math.min(1, this.#recentShare * decay + readShare);
    this.#left = left;
    this.#measuredAt = now;
    return this.#recentShare;
  }
}
