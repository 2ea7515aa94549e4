import { FairQueue, type QueueEntry } from './fair-queue.ts';

/** A fixed number of permits, and work that waits for them. */
export type ConcurrencyLimiter = {
  /**
   * Runs the work once the permits that it needs are free and it is the turn of its client (D40). Throws
   * `QueueFullError` when it waits too long or when too many bytes wait, and the reason of `signal` when that aborts
   * while the work waits.
   */
  run<T>(work: () => Promise<T>, claim: Claim, signal: AbortSignal): Promise<T>;
  /** The same without waiting: throws `QueueFullError` unless a permit stays free for other work. */
  runNow<T>(work: () => Promise<T>, claim: Claim): Promise<T>;
  /** Waits as `run` does. The permits are in use until the returned function is called. */
  acquire(claim: Claim, signal: AbortSignal): Promise<() => void>;
};

export type Claim = QueueEntry & { readonly permits: number };

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export type ConcurrencyLimits = {
  readonly permits: number;
  /** Permits that one client can use at the same time. */
  readonly permitsPerClient?: number;
  readonly maxQueuedBytes: number;
  readonly queueTimeoutMs: number;
};

type QueuedWork = Claim & { readonly start: () => void; readonly reject: (reason: unknown) => void };

export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  let free = limits.permits;
  const queue = new FairQueue<QueuedWork>();
  const permitsOfClients = new Map<string, number>();
  const { permitsPerClient = limits.permits } = limits;

  function take({ client, permits }: Claim): void {
    free -= permits;
    permitsOfClients.set(client, (permitsOfClients.get(client) ?? 0) + permits);
  }

  function release({ client, permits }: Claim): void {
    free += permits;
    const left = (permitsOfClients.get(client) ?? 0) - permits;
    if (left > 0) permitsOfClients.set(client, left);
    else permitsOfClients.delete(client);
    startQueued();
  }

  /** While another client waits, a client has at most all permits but one; its first work may always start. */
  function mayStart({ client, permits }: Claim): boolean {
    const acquired = permitsOfClients.get(client) ?? 0;
    if (acquired === 0) return true;
    if (acquired + permits > permitsPerClient) return false;
    return acquired + permits < limits.permits || !queue.hasOtherClients(client);
  }

  function startQueued(): void {
    for (let next = queue.first(mayStart); next !== undefined; next = queue.first(mayStart)) {
      // Work of other clients that needs fewer permits waits too: otherwise large work would never start.
      if (next.permits > free) return;
      queue.takeTurn(next);
      take(next);
      next.start();
    }
  }

  function waitForPermits(claim: Claim, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (complete: () => void) => {
        queue.remove(work);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        complete();
      };
      const rejectWork = (reason: unknown) => {
        settle(() => reject(reason));
        // The work behind this one can need fewer permits.
        startQueued();
      };
      const abort = () => rejectWork(signal.reason);
      const expire = () => rejectWork(new QueueFullError('No permit became free in time'));
      const timer = setTimeout(expire, limits.queueTimeoutMs);
      const work = { ...claim, start: () => settle(resolve), reject: rejectWork };
      signal.addEventListener('abort', abort);
      queue.add(work);
      while (queue.bytes > limits.maxQueuedBytes)
        queue.newestOfLargest()?.reject(new QueueFullError('Too many bytes wait'));
      startQueued();
    });
  }

  function takeFree(claim: Claim): boolean {
    if (!queue.isEmpty || claim.permits > free || !mayStart(claim)) return false;
    take(claim);
    return true;
  }

  /** Work starts without a pause where permits are free: then there is nothing to wait for. */
  function takeOrWait(claim: Claim, signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted();
    return takeFree(claim) ? undefined : waitForPermits(claim, signal);
  }

  async function runAndRelease<T>(work: () => Promise<T>, claim: Claim): Promise<T> {
    try {
      return await work();
    } finally {
      release(claim);
    }
  }

  const bounded = (claim: Claim) => ({ ...claim, permits: Math.min(claim.permits, permitsPerClient) });

  return {
    async acquire(wanted, signal) {
      const claim = bounded(wanted);
      await takeOrWait(claim, signal);
      return () => release(claim);
    },
    async run(work, wanted, signal) {
      const claim = bounded(wanted);
      const waiting = takeOrWait(claim, signal);
      if (waiting) await waiting;
      return runAndRelease(work, claim);
    },
    async runNow(work, wanted) {
      const claim = bounded(wanted);
      if (claim.permits >= free || !takeFree(claim)) throw new QueueFullError('No permit is left');
      return runAndRelease(work, claim);
    },
  };
}
