import { FairQueue, type QueueEntry } from './fair-queue.ts';

export type Claim = QueueEntry & {
  /** How many permits it needs: one for a query, or bytes. */
  readonly permits: number;
  /** When its client began to wait, by `performance.now()`: now, unless it has waited for something else before. */
  readonly since?: number;
};

/** Permits in use, until they are released. */
export type Lease = {
  readonly permits: number;
  /** Changes how many there are, without waiting: where more are in use than exist, others wait. */
  resize(permits: number): void;
  release(): void;
};

export type FairLimits = {
  readonly permits: number;
  /** How many one client may have, given the number of other clients that have permits or wait, and of those that wait. */
  readonly permitsOfClient?: (others: { readonly all: number; readonly waiting: number }) => number;
  readonly maxQueuedBytes: number;
  readonly queueTimeoutMs: number;
};

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** Some hundred a second are logged in a flood, and with source maps each stack takes 0.2 ms of the main thread. */
  override readonly stack = `QueueFullError: ${this.message}`;
}

type Waiting = Claim & {
  readonly since: number;
  readonly start: () => void;
  readonly reject: (reason: unknown) => void;
};

/** From this wait on, claims that need fewer permits no longer pass a claim that needs more. */
const PASS_WITHIN_MS = 1000;

/** A fixed number of permits, and claims that wait for them: clients take turns (D40). */
export class FairLimiter {
  readonly #limits: FairLimits;
  readonly #queue = new FairQueue<Waiting>();
  /** Permits of each client that has some or waits. */
  readonly #clients = new Map<string, number>();
  #inUse = 0;
  #waiting = 0;

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Claims that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits until the permits are free and it is the turn of the client. Throws `QueueFullError` when it waits too long or
   * when too many bytes wait, and the reason of `signal` when that aborts. A claim of more permits than there are gets all.
   */
  async acquire(wanted: Claim, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    const claim = this.#bounded(wanted);
    const isFree = this.#waiting === 0 && this.#fits(claim) && this.#mayStart(claim);
    // Without a pause where permits are free: then there is nothing to wait for.
    return isFree ? this.#take(claim) : this.#wait(claim, signal);
  }

  /** The permits, if they are free at this moment and one stays free for others. */
  acquireIfIdle(wanted: Claim): Lease | undefined {
    const claim = this.#bounded(wanted);
    const isIdle = this.#waiting === 0 && this.#inUse + claim.permits < this.#limits.permits;
    return isIdle && this.#mayStart(claim) ? this.#take(claim) : undefined;
  }

  /** How many permits the claim whose turn is next lacks, if it has waited for some time. */
  shortage(waitedMs: number): number {
    const before = performance.now() - waitedMs;
    const next = this.#queue.first((claim) => claim.since <= before && this.#mayStart(claim));
    return next === undefined ? 0 : Math.max(0, this.#inUse + next.permits - this.#limits.permits);
  }

  /** Whether a client has more permits than it may have now that other clients have come. */
  exceedsShare(client: string): boolean {
    return (this.#clients.get(client) ?? 0) > this.#share(client);
  }

  #bounded(claim: Claim): Claim {
    return { ...claim, permits: Math.min(claim.permits, this.#limits.permits) };
  }

  #share(client: string): number {
    const { permits, permitsOfClient } = this.#limits;
    const all = this.#clients.size - (this.#clients.has(client) ? 1 : 0);
    return permitsOfClient?.({ all, waiting: this.#queue.countOthers(client) }) ?? permits;
  }

  /** The first claim of a client may always start: else a claim larger than the share never would. */
  #mayStart({ client, permits }: Claim): boolean {
    const held = this.#clients.get(client) ?? 0;
    return held === 0 || held + permits <= this.#share(client);
  }

  #fits({ permits }: Claim): boolean {
    return this.#inUse + permits <= this.#limits.permits;
  }

  #take({ client, permits }: Claim): Lease {
    this.#add(client, permits);
    let held = permits;
    const resize = (wanted: number) => {
      const change = wanted - held;
      held = wanted;
      this.#add(client, change);
      if (change < 0) this.#startQueued();
    };
    return {
      get permits() {
        return held;
      },
      resize,
      release: () => resize(0),
    };
  }

  #add(client: string, permits: number): void {
    this.#inUse += permits;
    const held = (this.#clients.get(client) ?? 0) + permits;
    if (held > 0 || this.#queue.has(client)) this.#clients.set(client, held);
    else this.#clients.delete(client);
  }

  #startQueued(): void {
    for (;;) {
      const passBefore = performance.now() - PASS_WITHIN_MS;
      const next = this.#queue.first(
        (claim) => this.#mayStart(claim) && (this.#fits(claim) || claim.since < passBefore),
      );
      if (next === undefined || !this.#fits(next)) return;
      this.#queue.takeTurn(next);
      next.start();
    }
  }

  #wait(claim: Claim, signal: AbortSignal): Promise<Lease> {
    const { client, since = performance.now() } = claim;
    return new Promise((resolve, reject) => {
      const settle = (complete: () => void) => {
        this.#queue.remove(waiting);
        this.#waiting -= 1;
        this.#add(client, 0);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        complete();
      };
      const rejectWaiting = (reason: unknown) => {
        settle(() => reject(reason));
        // The claim after this one can need fewer permits.
        this.#startQueued();
      };
      const abort = () => rejectWaiting(signal.reason);
      const expire = () => rejectWaiting(new QueueFullError('No permit became free in time'));
      const left = since + this.#limits.queueTimeoutMs - performance.now();
      const timer = setTimeout(expire, Math.max(0, left));
      const start = () => settle(() => resolve(this.#take(claim)));
      const waiting: Waiting = { ...claim, since, start, reject: rejectWaiting };
      signal.addEventListener('abort', abort);
      this.#queue.add(waiting);
      this.#waiting += 1;
      this.#add(client, 0);
      while (this.#queue.bytes > this.#limits.maxQueuedBytes)
        this.#queue.newestOfLargest()?.reject(new QueueFullError('Too many bytes wait'));
      this.#startQueued();
    });
  }
}
