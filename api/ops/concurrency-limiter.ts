import { FairQueue, type QueueEntry } from './fair-queue.ts';

/** A fixed number of permits, and work that waits for them. */
export type ConcurrencyLimiter = {
  /**
   * Runs the work once the permits that it needs are free and it is the turn of its client (D40). Throws
   * `QueueFullError` when it waits too long or when too many bytes wait, and the reason of `signal` when that aborts
   * while the work waits.
   */
  run<T>(work: () => Promise<T>, claim: Claim, signal: AbortSignal): Promise<T>;
};

export type Claim = QueueEntry & { readonly permits: number };

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export type ConcurrencyLimits = {
  readonly permits: number;
  readonly maxQueuedBytes: number;
  readonly queueTimeoutMs: number;
};

type QueuedWork = Claim & { readonly start: () => void; readonly reject: (reason: unknown) => void };

export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  let free = limits.permits;
  const queue = new FairQueue<QueuedWork>();
  const permitsOfClients = new Map<string, number>();

  function acquire({ client, permits }: Claim): void {
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
    return acquired === 0 || acquired + permits < limits.permits || !queue.hasOtherClients(client);
  }

  function startQueued(): void {
    for (let next = queue.first(mayStart); next !== undefined; next = queue.first(mayStart)) {
      // Work of other clients that needs fewer permits waits too: otherwise large work would never start.
      if (next.permits > free) return;
      queue.takeTurn(next);
      acquire(next);
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

  return {
    async run(work, { permits, ...rest }, signal) {
      signal.throwIfAborted();
      const claim = { ...rest, permits: Math.min(permits, limits.permits) };
      if (queue.isEmpty && claim.permits <= free) acquire(claim);
      else await waitForPermits(claim, signal);
      try {
        return await work();
      } finally {
        release(claim);
      }
    },
  };
}
