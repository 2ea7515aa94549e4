import type { RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { arrivals, refusedRequests } from './http-request.ts';

type Arrival = Parameters<RequestListener>;

/** Accept new connections for at most this long before handling requests again. */
const ACCEPT_MS = 20;
/** One more refuses the newest request of the client with the most: else they would take all connections of the server. */
const MAX_WAITING = 1000;

/**
 * Requests that have arrived and are not handled yet, in the order of arrival for each client (key, or address without one).
 *
 * Node accepts one connection in each turn of its event loop (libuv since 1.45). If each turn also handled requests, a client
 * would wait in the kernel behind all connections of one that opens hundreds. So turns without requests accept connections
 * until no more arrive; then each turn handles one request of the client whose turn it is.
 */
export class RequestTurns {
  readonly #handler: RequestListener;
  /** By client; the client with the next turn is first. */
  readonly #waiting = new Map<string, Arrival[]>();
  #count = 0;
  #hasAccepted = false;

  constructor(handler: RequestListener) {
    this.#handler = handler;
  }

  /** A connection was accepted: more may wait. */
  noteConnection(): void {
    this.#hasAccepted = true;
  }

  add(...[request, response]: Arrival): void {
    arrivals.set(request, performance.now());
    const client = request.headers.authorization ?? request.socket.remoteAddress ?? '';
    const ofClient = this.#waiting.get(client) ?? [];
    ofClient.push([request, response]);
    this.#waiting.set(client, ofClient);
    this.#count += 1;
    if (this.#count === 1) void this.#handleAll();
    if (this.#count > MAX_WAITING) this.#refuseOne();
  }

  #refuseOne(): void {
    let [most, length] = ['', 0];
    for (const [client, ofClient] of this.#waiting)
      if (ofClient.length > length) [most, length] = [client, ofClient.length];
    const newest = this.#waiting.get(most)?.pop();
    if (length === 1) this.#waiting.delete(most);
    if (newest === undefined) return;
    this.#count -= 1;
    refusedRequests.add(newest[0]);
    this.#handler(...newest);
  }

  /** One request in each turn of the event loop: checking the query of a thousand stations takes a millisecond. */
  async #handleAll(): Promise<void> {
    while (this.#count > 0) {
      await turn();
      for (
        const end = performance.now() + ACCEPT_MS;
        this.#hasAccepted && performance.now() < end;
        await turn()
      )
        this.#hasAccepted = false;
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [client, ofClient] = next;
      const arrival = ofClient.shift();
      this.#waiting.delete(client);
      if (ofClient.length > 0) this.#waiting.set(client, ofClient);
      if (arrival !== undefined) this.#handler(...arrival);
      this.#count -= 1;
    }
  }
}
