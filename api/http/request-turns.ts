import type { RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { arrivals, refusedRequests } from './http-request.ts';

type Arrival = Parameters<RequestListener>;

/** Accept new connections for at most this long before handling requests again. */
const ACCEPT_MS = 20;
/** If more wait, the newest request of the client with the most is refused, so that others can still connect to the server. */
const MAX_WAITING = 1000;

/**
 * Requests that have arrived and are not handled yet, in the order of arrival for each client (key, or address without one).
 *
 * Node accepts one connection in each turn of its event loop (libuv since 1.45). If each turn also handled requests, a client
 * would wait in the kernel behind all connections of one that opens hundreds. So turns without requests accept connections
 * until no more arrive; then each turn handles one request of the client whose turn it is.
 */
export function takeTurns(handler: RequestListener) {
  /** By client; the client with the next turn is first. */
  const waiting = new Map<string, Arrival[]>();
  let count = 0;
  let hasAccepted = false;

  /** One request in each turn of the event loop: checking the query of a thousand stations takes a millisecond. */
  async function handleAll(): Promise<void> {
    while (count > 0) {
      await turn();
      const end = performance.now() + ACCEPT_MS;
      while (hasAccepted && performance.now() < end) {
        hasAccepted = false;
        await turn();
      }
      const [next] = waiting;
      if (next === undefined) return;
      const [client, ofClient] = next;
      const arrival = ofClient.shift();
      waiting.delete(client);
      if (ofClient.length > 0) waiting.set(client, ofClient);
      try {
        if (arrival !== undefined) handler(...arrival);
      } finally {
        count -= 1;
      }
    }
  }

  function refuseOne(): void {
    let [most, length] = ['', 0];
    for (const [client, ofClient] of waiting)
      if (ofClient.length > length) [most, length] = [client, ofClient.length];
    const newest = waiting.get(most)?.pop();
    if (length === 1) waiting.delete(most);
    if (newest === undefined) return;
    count -= 1;
    refusedRequests.add(newest[0]);
    handler(...newest);
  }

  return {
    /** A connection was accepted: more may wait. */
    noteConnection(): void {
      hasAccepted = true;
    },
    add(...[request, response]: Arrival): void {
      arrivals.set(request, performance.now());
      const client = request.headers.authorization ?? request.socket.remoteAddress ?? '';
      const ofClient = waiting.get(client) ?? [];
      ofClient.push([request, response]);
      waiting.set(client, ofClient);
      count += 1;
      if (count === 1) void handleAll();
      if (count > MAX_WAITING) refuseOne();
    },
  };
}
