/** A fixed number of permits, and a bounded queue of work that waits for them. */
export type ConcurrencyLimiter = {
  /**
   * Runs the work once the permits that it needs are free, first come, first served. Throws `QueueFullError` when the
   * queue is full or the work waited too long, and the reason of `signal` when that aborts while the work waits.
   */
  run<T>(work: () => Promise<T>, permits: number, signal: AbortSignal): Promise<T>;
};

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export type ConcurrencyLimits = {
  readonly permits: number;
  readonly maxQueued: number;
  readonly queueTimeoutMs: number;
};

type QueuedWork = { readonly permits: number; readonly start: () => void };

export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  let free = limits.permits;
  const queue = new Set<QueuedWork>();

  function startQueued(): void {
    for (const first of queue) {
      if (first.permits > free) return;
      free -= first.permits;
      first.start();
    }
  }

  function waitForPermits(permits: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = (settle: () => void) => () => {
        queue.delete(queued);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        settle();
        // The next work in the queue can need fewer permits than this one.
        startQueued();
      };
      const queued = { permits, start: leaveQueue(resolve) };
      const abort = leaveQueue(() => reject(signal.reason));
      const expire = leaveQueue(() => reject(new QueueFullError('No permit became free in time')));
      const timer = setTimeout(expire, limits.queueTimeoutMs);
      signal.addEventListener('abort', abort);
      queue.add(queued);
    });
  }

  return {
    async run(work, wanted, signal) {
      signal.throwIfAborted();
      const permits = Math.min(wanted, limits.permits);
      if (queue.size === 0 && permits <= free) free -= permits;
      else if (queue.size >= limits.maxQueued) throw new QueueFullError('The queue is full');
      else await waitForPermits(permits, signal);
      try {
        return await work();
      } finally {
        free += permits;
        startQueued();
      }
    },
  };
}
