/** The age at which bytes that the client has read count a third. */
const PACE_MEMORY_MS = 2000;

/** A response whose bytes the client has not all read. */
export class UnreadResponse {
  readonly client: string;
  readonly bytes: number;
  /** Closes the connection. */
  readonly close: () => void;
  readonly #queued: () => number;
  /** Share of the bytes that the client has read, weighted by age: 1 for a new response. */
  #recentShare = 1;
  #left: number;
  #measuredAt = performance.now();

  /** @param queued bytes that wait in the connection */
  constructor(client: string, bytes: number, queued: () => number, close: () => void) {
    this.client = client;
    this.bytes = bytes;
    this.close = close;
    this.#queued = queued;
    this.#left = bytes;
  }

  /** How much the client has read recently, from 0 to 1. */
  measurePace(): number {
    const now = performance.now();
    // Nothing is queued before the body is written, and when the response is about to close.
    const left = this.#queued() || this.#left;
    const decay = Math.exp((this.#measuredAt - now) / PACE_MEMORY_MS);
    const readShare = Math.max(0, this.#left - left) / this.bytes;
    this.#recentShare = Math.min(1, this.#recentShare * decay + readShare);
    this.#left = left;
    this.#measuredAt = now;
    return this.#recentShare;
  }
}

/** Bounds the bytes of unread responses, of the process and of each client: closes the slowest beyond that. */
export class UnreadResponses {
  readonly #responses = new Set<UnreadResponse>();
  readonly #limits: { readonly bytes: number; readonly bytesOfClient: number };

  constructor(limits: { readonly bytes: number; readonly bytesOfClient: number }) {
    this.#limits = limits;
  }

  add(response: UnreadResponse): void {
    const ofClient = [...this.#responses].filter(({ client }) => client === response.client);
    this.#closeSlowest(ofClient, this.#limits.bytesOfClient - response.bytes);
    this.#closeSlowest([...this.#responses], this.#limits.bytes - response.bytes);
    // Last, so that it is not closed itself: its client has had no time to read.
    this.#responses.add(response);
  }

  remove(response: UnreadResponse): void {
    this.#responses.delete(response);
  }

  #closeSlowest(responses: readonly UnreadResponse[], limit: number): void {
    let excess = responses.reduce((sum, { bytes }) => sum + bytes, 0) - limit;
    if (excess <= 0) return;
    const paces = new Map(responses.map((response) => [response, response.measurePace()]));
    for (const [response] of [...paces].sort(([, a], [, b]) => a - b)) {
      if (excess <= 0) return;
      excess -= response.bytes;
      this.remove(response);
      response.close();
    }
  }
}
