import type { PlaceKind, QueueEntry, RequestQueue } from './request-queue.ts';

export const QUEUE_TIMEOUT_MS = 5000;
/** A waiting request with its connection: a constant plus a multiple of the length of its URL. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;

type Arrival = {
  readonly key: string;
  readonly length: number;
  /** Aborts when its client disconnects. */
  readonly disconnected: AbortSignal;
  /** When it arrived, by `performance.now()`; if absent, now. */
  readonly since?: number | undefined;
};

export class QueuedRequest implements QueueEntry {
  readonly key: string;
  readonly queuedBytes: number;
  readonly disconnected: AbortSignal;
  bytes = 0;
  readonly #queue: RequestQueue;
  /** When its first wait began, until that is over. */
  #since: number | undefined;
  #isOver = false;

  constructor(queue: RequestQueue, { key, length, disconnected, since = performance.now() }: Arrival) {
    this.#queue = queue;
    this.key = key;
    this.queuedBytes = BYTES_PER_REQUEST + length * BYTES_PER_CHARACTER;
    this.disconnected = disconnected;
    this.#since = since;
  }

  /** @throws 503 overloaded after five seconds, counted in the first wait from the arrival of the request */
  async enter(place: PlaceKind, bytes: number, signal = this.disconnected): Promise<void> {
    const since = this.#since ?? performance.now();
    await this.#queue.enter(this, { place, bytes, since, until: since + QUEUE_TIMEOUT_MS, signal });
    this.#since = undefined;
    if (this.#isOver) this.#queue.hold(this, 0);
  }

  /** Gives a place back. The memory stays until `end`. */
  leave(place: PlaceKind): void {
    this.#queue.leave(this, place);
  }

  /** Waits for memory, or if it already holds some, changes the amount without waiting. */
  async reserve(bytes: number): Promise<void> {
    if (this.#isOver) return;
    if (this.bytes > 0) return this.#queue.hold(this, bytes);
    await this.enter('none', bytes);
    this.leave('none');
  }

  /** The response is complete, or its connection is closed. */
  end(): void {
    this.#isOver = true;
    this.#queue.hold(this, 0);
  }
}
