import { Problem, retryAfter } from '../problem.ts';

/** Resources of limited number. A finished response needs only memory. */
export type PlaceKind = 'query' | 'stream' | 'compressor' | 'none';

/** Where requests wait. */
type Queue = {
  enter(
    request: QueuedRequest,
    place: PlaceKind,
    bytes: number,
    since: number,
    signal: AbortSignal,
  ): Promise<void>;
  leave(request: QueuedRequest, place: PlaceKind): void;
  hold(request: QueuedRequest, bytes: number): void;
};

/** The longest wait for a place. */
export const QUEUE_TIMEOUT_MS = 5000;
/** A waiting request with its connection: a constant plus a multiple of the length of its URL. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** A flood logs hundreds a second, and with source maps each stack takes 0.2 ms of the main thread. */
  override readonly stack = `QueueFullError: ${this.message}`;
}

export function overloaded(cause: unknown): Problem {
  return new Problem('overloaded', 'Too many requests are under way.', { headers: retryAfter(1000), cause });
}

/** A request of a key, from its arrival until its response is sent. */
export class QueuedRequest {
  readonly key: string;
  /** Memory that it needs while it waits. */
  readonly queuedBytes: number;
  /** Aborts when its client disconnects. */
  readonly disconnected: AbortSignal;
  /** Memory that its response holds. */
  bytes = 0;
  readonly #queue: Queue;
  /** When its first wait began, until that is over. */
  #since: number | undefined;
  #isOver = false;

  /**
   * @param key the id of the key
   * @param length of the path and query string
   * @param since when the request arrived, by `performance.now()`
   */
  constructor(
    queue: Queue,
    key: string,
    length: number,
    disconnected: AbortSignal,
    since = performance.now(),
  ) {
    this.#queue = queue;
    this.key = key;
    this.queuedBytes = BYTES_PER_REQUEST + length * BYTES_PER_CHARACTER;
    this.disconnected = disconnected;
    this.#since = since;
  }

  /**
   * Waits for a place and, the first time, for the memory of its response.
   *
   * @throws 503 overloaded after five seconds, counted in the first wait from the arrival of the request
   */
  async enter(place: PlaceKind, bytes: number, signal = this.disconnected): Promise<void> {
    await this.#queue.enter(this, place, bytes, this.#since ?? performance.now(), signal);
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
