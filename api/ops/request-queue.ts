import { availableParallelism } from 'node:os';
import { overloaded, QueueFullError } from '../problem.ts';

/** docs/waiting.md explains where a request waits, for what and for how long. */

export type QueueLimits = {
  /** Requests that query the archive at the same time. */
  readonly queriesAtOnce: number;
  readonly streamsAtOnce: number;
  readonly memoryBytes: number;
};

/** Kinds of places, whose numbers are limited. With `none`, a request waits for memory only. */
export type PlaceKind = 'query' | 'stream' | 'download' | 'compressor' | 'none';

/** Compressors of large bodies, on threads that the main thread does not wait for. Node has four. */
const COMPRESSORS_AT_ONCE = Math.min(4, availableParallelism());
/** Files of a snapshot that are sent at the same time. Each takes up to 200 kB of memory and an open file. */
const DOWNLOADS_AT_ONCE = 48;
/** The most places of one key, even if more are free, because a client that reads slowly holds them for long. */
const PLACES_OF_KEY: Readonly<Partial<Record<PlaceKind, number>>> = { stream: 1, download: 8 };
export const QUEUE_TIMEOUT_MS = 5000;
/** A waiting request with its connection: a constant plus a multiple of the length of its URL. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;
/** The most memory of all waiting requests, by this estimate. */
const MAX_QUEUED_BYTES = 24 * 1024 * 1024;
/** The share of memory that only keys without a response in memory can use: slow clients of other keys cannot block them. */
const NEWCOMERS_SHARE = 1 / 4;
/** Once a request has waited this long for memory, smaller ones no longer overtake it. */
const PASS_WITHIN_MS = 1000;

type PlaceRequest = {
  readonly place: PlaceKind;
  readonly bytes: number;
  /** By `performance.now()`. */
  readonly since: number;
  readonly signal: AbortSignal;
};

type Waiting = PlaceRequest & {
  readonly request: QueuedRequest;
  readonly timer: NodeJS.Timeout;
  readonly abort: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
};

type Resources = Record<PlaceKind | 'bytes', number>;
const noResources = (): Resources => ({ query: 0, stream: 0, download: 0, compressor: 0, none: 0, bytes: 0 });

type KeyQueue = Set<Waiting>;

/** Keys take turns. While another key waits for a kind of place, a key gets at most all but one of these places. */
export class RequestQueue {
  readonly #limits: Resources;
  /** By kind of place and by key; the key with the next turn is first. */
  readonly #queues: Readonly<Record<PlaceKind, Map<string, KeyQueue>>> = {
    query: new Map(),
    stream: new Map(),
    download: new Map(),
    compressor: new Map(),
    none: new Map(),
  };
  readonly #all = noResources();
  readonly #ofKeys = new Map<string, Resources>();
  #queuedBytes = 0;
  #waiting = 0;

  constructor({ queriesAtOnce, streamsAtOnce, memoryBytes }: QueueLimits) {
    this.#limits = {
      query: queriesAtOnce,
      stream: streamsAtOnce,
      download: DOWNLOADS_AT_ONCE,
      compressor: COMPRESSORS_AT_ONCE,
      none: Number.POSITIVE_INFINITY,
      bytes: memoryBytes,
    };
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Requests that query the archive, including read-aheads. */
  get queries(): number {
    return this.#all.query;
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  /** Throws 503 overloaded after five seconds. A request that holds memory gets more without waiting, which could block others. */
  enter(request: QueuedRequest, wanted: PlaceRequest): Promise<void> {
    const { signal, since } = wanted;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (request.bytes > 0 && wanted.bytes > 0) this.hold(request, wanted.bytes);
      const bytes = request.bytes > 0 ? 0 : Math.min(wanted.bytes, this.#limits.bytes);
      const abort = () => this.#refuse(waiting, signal.reason);
      const expire = () =>
        this.#refuse(
          waiting,
          overloaded(new QueueFullError('No place became free in time'), this.#reasonOf(waiting)),
        );
      const timer = setTimeout(expire, Math.max(0, since + QUEUE_TIMEOUT_MS - performance.now()));
      const waiting: Waiting = { ...wanted, request, bytes, timer, abort, resolve, reject };
      signal.addEventListener('abort', abort);
      this.#add(waiting);
      this.#startNext();
      while (this.#queuedBytes > MAX_QUEUED_BYTES)
        this.#refuse(this.#newestOfLargestQueue(), overloaded(new QueueFullError('Too many requests wait')));
    });
  }

  leave({ key }: QueuedRequest, place: PlaceKind): void {
    this.#change(key, place, -1);
    this.#startNext();
  }

  /** Whether a query that no request needs yet can start: another place stays free, and nothing waits. */
  isIdle(bytes: number): boolean {
    const left = this.#limits.bytes * (1 - NEWCOMERS_SHARE) - this.#all.bytes;
    return this.#waiting === 0 && this.#all.query + 1 < this.#limits.query && bytes <= left;
  }

  /** Changes the memory of a request without waiting. It can exceed the limit; then other requests wait. */
  hold(request: QueuedRequest, bytes: number): void {
    this.#change(request.key, 'bytes', bytes - request.bytes);
    const isLess = bytes < request.bytes;
    request.bytes = bytes;
    if (isLess) this.#startNext();
  }

  #change(key: string, resource: keyof Resources, by: number): void {
    const ofKey = this.#ofKeys.get(key) ?? noResources();
    ofKey[resource] += by;
    this.#all[resource] += by;
    const isUsed = Object.values(ofKey).some((used) => used > 0);
    if (isUsed) this.#ofKeys.set(key, ofKey);
    else this.#ofKeys.delete(key);
  }

  #startNext(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { request, place, bytes } = next;
      this.#remove(next);
      this.#change(request.key, place, 1);
      if (bytes > 0) this.hold(request, bytes);
      next.resolve();
    }
  }

  #refuse(waiting: Waiting, reason: unknown): void {
    this.#remove(waiting);
    waiting.reject(reason);
    // The next request may need less memory.
    this.#startNext();
  }

  #next(): Waiting | undefined {
    const passBefore = performance.now() - PASS_WITHIN_MS;
    for (const queues of Object.values(this.#queues))
      for (const [first] of queues.values()) {
        if (first === undefined || !this.#hasPlace(first)) continue;
        if (this.#missingBytes(first) <= 0) return first;
        if (first.since < passBefore && this.#isNewcomer(first)) return undefined;
      }
    return undefined;
  }

  #hasPlace({ request: { key }, place }: Waiting): boolean {
    const [limit, ofKey] = [this.#limits[place], this.#ofKeys.get(key)?.[place] ?? 0];
    if (this.#all[place] >= limit) return false;
    const most = PLACES_OF_KEY[place];
    if (most !== undefined) return ofKey < most;
    const isAlone = [...this.#queues[place].keys()].every((other) => other === key);
    return isAlone || ofKey < Math.max(1, limit - 1);
  }

  /** Why a request found no place, if its key already has the most places of this kind. */
  #reasonOf({ request: { key }, place }: Waiting): string | undefined {
    const most = PLACES_OF_KEY[place];
    if (most === undefined || (this.#ofKeys.get(key)?.[place] ?? 0) < most) return undefined;
    return `This key has ${most} ${place}${most === 1 ? '' : 's'} under way, the most for a key: wait until one ends.`;
  }

  #missingBytes(waiting: Waiting): number {
    if (waiting.bytes === 0) return 0;
    const kept = this.#isNewcomer(waiting) ? 0 : this.#limits.bytes * NEWCOMERS_SHARE;
    return waiting.bytes + kept + this.#all.bytes - this.#limits.bytes;
  }

  /** Whether no response of its key holds memory. */
  #isNewcomer({ request: { key } }: Waiting): boolean {
    return (this.#ofKeys.get(key)?.bytes ?? 0) === 0;
  }

  #add(waiting: Waiting): void {
    const { request, place } = waiting;
    const queues = this.#queues[place];
    queues.set(request.key, (queues.get(request.key) ?? new Set()).add(waiting));
    this.#waiting += 1;
    this.#queuedBytes += request.queuedBytes;
  }

  /** The next turn of its key comes after those of all other keys. */
  #remove(waiting: Waiting): void {
    const { request, place, timer, signal, abort } = waiting;
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    this.#waiting -= 1;
    this.#queuedBytes -= request.queuedBytes;
    const queues = this.#queues[place];
    const queue = queues.get(request.key) as KeyQueue;
    queue.delete(waiting);
    queues.delete(request.key);
    if (queue.size > 0) queues.set(request.key, queue);
  }

  #newestOfLargestQueue(): Waiting {
    const queues = Object.values(this.#queues).flatMap((ofPlace) => [...ofPlace.values()]);
    const bytesOf = (queue: KeyQueue) =>
      [...queue].reduce((sum, { request }) => sum + request.queuedBytes, 0);
    const largest = queues.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
    return [...largest].at(-1) as Waiting;
  }
}

type Arrival = {
  readonly key: string;
  readonly length: number;
  /** Aborts when its client disconnects. */
  readonly disconnected: AbortSignal;
  /** When it arrived, by `performance.now()`; if absent, now. */
  readonly since?: number | undefined;
};

/** A request that waits for places and for memory, and holds them. */
export class QueuedRequest {
  readonly key: string;
  /** Memory that it needs while it waits. */
  readonly queuedBytes: number;
  readonly disconnected: AbortSignal;
  /** Memory that its response holds. */
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
    await this.#queue.enter(this, { place, bytes, since, signal });
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
