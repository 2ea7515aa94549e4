import type { IncomingMessage } from 'node:http';
import { FairQueue, type QueueEntry } from '../ops/fair-queue.ts';

type Arrival = QueueEntry & { readonly handle: () => void };

/** So long are connections accepted before requests are handled again. */
const ACCEPT_MS = 20;
/** Requests that are handled in one turn of the event loop. */
const PER_TURN = 4;

const arrivals = new WeakMap<IncomingMessage, number>();

/** When a request came, by `performance.now()`. */
export function arrivalOf(request: IncomingMessage): number {
  return arrivals.get(request) ?? performance.now();
}

/**
 * Requests that have come and are not handled yet. Those of one client are handled in the order of arrival, and clients
 * take turns (D40): keys, and addresses without one.
 *
 * Node accepts one connection in each turn of its event loop (libuv since 1.45). If each turn handled what has come, a
 * client would wait in the kernel, in the order of arrival, behind all connections of a client that opens hundreds. So
 * turns without requests accept connections as long as there are some, and then requests are handled, for a moment each.
 */
export class RequestTurns {
  readonly #queue = new FairQueue<Arrival>();
  #isPaused = false;
  #isScheduled = false;
  #hasAccepted = false;
  /** Since when turns of the event loop accept connections and handle no request. */
  #acceptsSince: number | undefined;

  /** A connection was accepted: more may wait. */
  noteConnection(): void {
    this.#hasAccepted = true;
  }

  add(request: IncomingMessage, handle: () => void): void {
    arrivals.set(request, performance.now());
    const client = request.headers.authorization ?? request.socket.remoteAddress ?? '';
    this.#queue.add({ client, bytes: 0, handle });
    this.#schedule();
  }

  /** Handles nothing until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPaused || this.#next() === undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isPaused && !this.#mayAccept()) this.#handleSome();
      this.#schedule();
    });
  }

  #mayAccept(): boolean {
    const hasAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#acceptsSince ??= performance.now();
    return hasAccepted && performance.now() - this.#acceptsSince < ACCEPT_MS;
  }

  #handleSome(): void {
    this.#acceptsSince = undefined;
    for (let n = 0; n < PER_TURN; n += 1) {
      const next = this.#next();
      if (next === undefined) return;
      this.#queue.takeTurn(next);
      next.handle();
    }
  }

  #next(): Arrival | undefined {
    return this.#queue.first(() => true);
  }
}
