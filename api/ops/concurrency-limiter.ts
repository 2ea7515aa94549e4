/** A number of places, and a bounded queue before them. */
export type ConcurrencyLimiter = {
  /**
   * Runs the work when as many places are free as it takes, first come, first served. Throws `GateFull` when the
   * queue is full or waiting took too long, and the reason of `givenUp` when whoever waits has gone.
   */
  pass<T>(work: () => Promise<T>, places: number, givenUp: AbortSignal): Promise<T>;
};

export class QueueFullError extends Error {
  override readonly name = 'GateFull';
}

export type ConcurrencyLimits = {
  readonly places: number;
  readonly queue: number;
  readonly patienceMilliseconds: number;
};

type Waiting = { readonly taking: number; readonly enter: () => void };

export function createConcurrencyLimiter({
  places,
  queue,
  patienceMilliseconds,
}: ConcurrencyLimits): ConcurrencyLimiter {
  let free = places;
  const waiting = new Set<Waiting>();

  function admit(): void {
    for (const first of waiting) {
      if (first.taking > free) return;
      free -= first.taking;
      first.enter();
    }
  }

  function wait(taking: number, givenUp: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => () => {
        waiting.delete(one);
        clearTimeout(patience);
        givenUp.removeEventListener('abort', gone);
        how();
        // Whoever stood behind may need fewer places.
        admit();
      };
      const one = { taking, enter: settle(resolve) };
      const gone = settle(() => reject(givenUp.reason));
      const late = settle(() => reject(new QueueFullError('No place became free in time')));
      const patience = setTimeout(late, patienceMilliseconds);
      givenUp.addEventListener('abort', gone);
      waiting.add(one);
    });
  }

  return {
    async pass(work, wanted, givenUp) {
      givenUp.throwIfAborted();
      const taking = Math.min(wanted, places);
      if (waiting.size === 0 && taking <= free) free -= taking;
      else if (waiting.size >= queue) throw new QueueFullError('Too many queries wait already');
      else await wait(taking, givenUp);
      try {
        return await work();
      } finally {
        free += taking;
        admit();
      }
    },
  };
}
