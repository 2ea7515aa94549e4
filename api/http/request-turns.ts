import type { IncomingMessage } from 'node:http';
import { FairQueue, type QueueEntry } from '../ops/fair-queue.ts';

type Arrival = QueueEntry & { readonly request: IncomingMessage; readonly handle: () => void };

/** So long are connections accepted before requests are handled again. */
const ACCEPT_MS = 20;
/** Every fourth turn is for clients that wait: new clients, whose keys may be forged, cannot take all turns. */
const TURN_OF_OTHERS = 4;
/**
 * Requests that may wait. With a further one the newest request of the client with most of them is refused (D40). Else those
 * that wait would hold all connections that the server accepts, and new ones would be reset, also those of other clients.
 */
const MAX_WAITING = 1000;

const arrivals = new WeakMap<IncomingMessage, number>();
const refused = new WeakSet<IncomingMessage>();

/** When a request came, by `performance.now()`. */
export function arrivalOf(request: IncomingMessage): number {
  return arrivals.get(request) ?? performance.now();
}

/** Whether a request did not wait for its turn, because too many did. */
export function isRefused(request: IncomingMessage): boolean {
  return refused.has(request);
}

/**
 * Requests that have come and are not handled yet. Those of one client are handled in the order of arrival, and clients
 * take turns (D40): keys, and addresses without one. A client of whom none waits is next.
 *
 * Node accepts one connection in each turn of its event loop (libuv since 1.45). If each turn handled what has come, a
 * client would wait in the kernel, in the order of arrival, behind all connections of a client that opens hundreds. So
 * turns without requests accept connections as long as there are some, and then requests are handled, for a moment each.
 */
export class RequestTurns {
  /** Of each client that had none waiting, the one that came: it passes those of others. */
  readonly #firsts = new FairQueue<Arrival>();
  readonly #others = new FairQueue<Arrival>();
  #isPaused = false;
  #isScheduled = false;
  #hasAccepted = false;
  #turns = 0;
  /** Since when turns of the event loop accept connections and handle no request. */
  #acceptsSince: number | undefined;

  /** A connection was accepted: more may wait. */
  noteConnection(): void {
    this.#hasAccepted = true;
  }

  add(request: IncomingMessage, handle: () => void): void {
    arrivals.set(request, performance.now());
    const client = request.headers.authorization ?? request.socket.remoteAddress ?? '';
    const queue = this.#firsts.has(client) || this.#others.has(client) ? this.#others : this.#firsts;
    queue.add({ client, bytes: 1, request, handle });
    if (this.#firsts.bytes + this.#others.bytes > MAX_WAITING) this.#refuseOne();
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

  #refuseOne(): void {
    const newest = this.#others.newestOfLargest() ?? this.#firsts.newestOfLargest();
    if (newest === undefined) return;
    this.#firsts.remove(newest);
    this.#others.remove(newest);
    refused.add(newest.request);
    newest.handle();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPaused || this.#next() === undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isPaused && !this.#mayAccept()) this.#handleOne();
      this.#schedule();
    });
  }

  #mayAccept(): boolean {
    const hasAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#acceptsSince ??= performance.now();
    return hasAccepted && performance.now() - this.#acceptsSince < ACCEPT_MS;
  }

  /** One request in each turn of the event loop: the query of a thousand stations takes a millisecond to check. */
  #handleOne(): void {
    this.#acceptsSince = undefined;
    this.#turns += 1;
    const next = (this.#turns % TURN_OF_OTHERS === 0 ? this.#nextOfOthers() : undefined) ?? this.#next();
    if (next === undefined) return;
    this.#firsts.remove(next);
    this.#others.takeTurn(next);
    next.handle();
  }

  #next(): Arrival | undefined {
    return this.#firsts.first(() => true) ?? this.#nextOfOthers();
  }

  /** Of a client whose first is handled: the order of arrival stays. */
  #nextOfOthers(): Arrival | undefined {
    return this.#others.first(({ client }) => !this.#firsts.has(client));
  }
}
