import { Problem, retryAfter } from '../problem.ts';
import { FairLimiter, type Lease, QueueFullError } from './fair-limiter.ts';
import type { Metrics } from './metrics.ts';

/** A body that is being sent. */
type Sending = {
  /** How much of it the client has read recently, from 0 to 1; 1 for a new one. */
  pace(): number;
  /** Closes the connection. */
  close(): void;
};

/** A client that waits for an answer. */
export type Waiter = {
  /** The id of its key. Requests of different keys take turns. */
  readonly key: string;
  /** Length of the path and query string of its request. */
  readonly length: number;
};

/** What waits for memory or for a query may need in memory itself. */
export const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** A client waits no longer than this (D40). */
export const QUEUE_TIMEOUT_MS = 5000;
/** Estimated memory of a request that waits, with its connection: a constant, and a multiple of its length. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;

export function queuedBytesOf({ length }: Waiter): number {
  return BYTES_PER_REQUEST + length * BYTES_PER_CHARACTER;
}

export function overloaded(cause: unknown): Problem {
  return new Problem('overloaded', 'Too many requests are under way.', { headers: retryAfter(1000), cause });
}

/** After a request has waited so long for memory, responses that are read slowly are closed. */
const ROOM_AFTER_MS = 250;
/** A response that is read in less than some four seconds has a greater pace. */
const SLOW_PACE = 0.5;

/**
 * The memory of all responses: what is read for them, compressed, and waits for clients to read it. Each reserves its
 * bytes before they exist. Clients share it: one has at most the part that would be left for each if one more came, so
 * that a newcomer finds room. Where slow readers of others hold what a client waits for, they are closed.
 */
export class ResponseMemory {
  readonly #limiter: FairLimiter;
  readonly #sending = new Map<Reservation, Sending>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bytes: number, queueTimeoutMs = QUEUE_TIMEOUT_MS) {
    this.#limiter = new FairLimiter({
      permits: bytes,
      permitsOfClient: ({ all }) => bytes / (all + 2),
      maxQueuedBytes: MAX_QUEUED_BYTES,
      queueTimeoutMs,
    });
  }

  /**
   * The reservation of one response, still without bytes.
   *
   * @param since when its request came, by `performance.now()`
   */
  open(waiter: Waiter, since = performance.now()): Reservation {
    return new Reservation(this, waiter, since);
  }

  /** Reserves bytes for a page that is read ahead; `undefined` where other requests may need them. */
  reserveIfIdle(key: string, bytes: number): Lease | undefined {
    return this.#limiter.acquireIfIdle({ client: key, bytes: 0, permits: bytes });
  }

  async acquire({ key, length }: Waiter, bytes: number, since: number, signal: AbortSignal): Promise<Lease> {
    const claim = { client: key, bytes: queuedBytesOf({ key, length }), permits: bytes, since };
    const leased = this.#limiter.acquire(claim, signal);
    this.#makeRoom();
    try {
      return await leased;
    } catch (error) {
      throw error instanceof QueueFullError ? overloaded(error) : error;
    }
  }

  send(reservation: Reservation, sending: Sending): void {
    this.#sending.set(reservation, sending);
  }

  forget(reservation: Reservation): void {
    this.#sending.delete(reservation);
  }

  measure(addMetric: Metrics['add']): void {
    addMetric({
      kind: 'gauge',
      name: 'history_response_memory_bytes',
      help: 'Memory that responses have reserved.',
      read: () => this.#limiter.inUse,
    });
    addMetric({
      kind: 'gauge',
      name: 'history_response_memory_waiting',
      help: 'Requests that wait for memory for their responses.',
      read: () => this.#limiter.waiting,
    });
  }

  /** Closes slow readers as long as others wait for what they hold. */
  #makeRoom(): void {
    if (this.#timer !== undefined || this.#limiter.waiting === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#closeSlow(this.#limiter.shortage(ROOM_AFTER_MS));
      this.#makeRoom();
    }, ROOM_AFTER_MS).unref();
  }

  #closeSlow(bytes: number): void {
    let missing = bytes;
    if (missing <= 0) return;
    const slow = [...this.#sending]
      .filter(([{ key }]) => this.#limiter.exceedsShare(key))
      .map(([reservation, sending]) => ({ reservation, sending, pace: sending.pace() }))
      .filter(({ pace }) => pace < SLOW_PACE)
      .sort((a, b) => a.pace - b.pace);
    for (const { reservation, sending } of slow) {
      if (missing <= 0) return;
      missing -= reservation.bytes;
      this.forget(reservation);
      sending.close();
    }
  }
}

/** The memory of one response. */
export class Reservation {
  readonly key: string;
  readonly #memory: ResponseMemory;
  readonly #waiter: Waiter;
  /** When the request came. */
  readonly since: number;
  #lease: Lease | undefined;
  #isClosed = false;

  constructor(memory: ResponseMemory, waiter: Waiter, since: number) {
    this.key = waiter.key;
    this.since = since;
    this.#memory = memory;
    this.#waiter = waiter;
  }

  get bytes(): number {
    return this.#lease?.permits ?? 0;
  }

  /**
   * Waits for the bytes, the first time, for five seconds from the arrival of the request at most; then it throws the
   * problem `overloaded`. Later it changes their number without waiting: a response that waited while it holds bytes could
   * block others.
   */
  async reserve(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#lease !== undefined) return this.#lease.resize(bytes);
    const lease = await this.#memory.acquire(this.#waiter, bytes, this.since, signal);
    if (this.#isClosed) lease.release();
    else this.#lease = lease;
  }

  /** From now on its client reads it: where it reads slowly and others need the memory, it is closed. */
  send(sending: Sending): void {
    if (!this.#isClosed) this.#memory.send(this, sending);
  }

  /** The response is complete, or its connection is closed. */
  release(): void {
    this.#isClosed = true;
    this.#memory.forget(this);
    this.#lease?.release();
    this.#lease = undefined;
  }
}
