export type QueueEntry = {
  readonly client: string;
  /** Memory that the entry needs while it waits. */
  readonly bytes: number;
};

/** Entries that wait: those of one client in the order of arrival, and the clients take turns (D40). */
export class FairQueue<T extends QueueEntry> {
  /** The client whose turn is next is first. */
  readonly #entries = new Map<string, Set<T>>();
  bytes = 0;

  add(entry: T): void {
    const ofClient = this.#entries.get(entry.client) ?? new Set();
    this.#entries.set(entry.client, ofClient.add(entry));
    this.bytes += entry.bytes;
  }

  remove(entry: T): void {
    const ofClient = this.#entries.get(entry.client);
    if (!ofClient?.delete(entry)) return;
    this.bytes -= entry.bytes;
    if (ofClient.size === 0) this.#entries.delete(entry.client);
  }

  /** The oldest entry of the first client for which the condition holds. */
  first(condition: (entry: T) => boolean): T | undefined {
    for (const [oldest] of this.#entries.values())
      if (oldest !== undefined && condition(oldest)) return oldest;
    return undefined;
  }

  /** Removes the entry; the next turn of its client comes after all other clients. */
  takeTurn(entry: T): void {
    this.remove(entry);
    const rest = this.#entries.get(entry.client);
    if (rest === undefined) return;
    this.#entries.delete(entry.client);
    this.#entries.set(entry.client, rest);
  }

  has(client: string): boolean {
    return this.#entries.has(client);
  }

  /** How many clients wait beside this one. */
  countOthers(client: string): number {
    return this.#entries.size - (this.#entries.has(client) ? 1 : 0);
  }

  /** The newest entry of the client with the most bytes. */
  newestOfLargest(): T | undefined {
    let [largest, most] = [undefined as T | undefined, 0];
    for (const ofClient of this.#entries.values()) {
      let [bytes, newest] = [0, undefined as T | undefined];
      for (const entry of ofClient) {
        bytes += entry.bytes;
        newest = entry;
      }
      if (bytes > most) [largest, most] = [newest, bytes];
    }
    return largest;
  }
}
