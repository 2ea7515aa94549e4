/** A number of places, and a bounded queue before them. */
export type Gate = {
  /**
   * Runs the work when a place is free. Throws `GateFull` when the queue is full or waiting took too long, and the
   * reason of `givenUp` when whoever waits has gone.
   */
  pass<T>(work: () => Promise<T>, givenUp: AbortSignal): Promise<T>;
};

export class GateFull extends Error {
  override readonly name = 'GateFull';
}

export type GateSize = {
  readonly places: number;
  readonly queue: number;
  readonly patienceMilliseconds: number;
};

export function openGate({ places, queue, patienceMilliseconds }: GateSize): Gate {
  let free = places;
  const waiting = new Set<() => void>();

  async function enter(givenUp: AbortSignal): Promise<void> {
    givenUp.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.size >= queue) throw new GateFull('Too many queries wait already');
    await new Promise<void>((resolve, reject) => {
      const settle = (how: () => void) => () => {
        waiting.delete(turn);
        clearTimeout(patience);
        givenUp.removeEventListener('abort', gone);
        how();
      };
      const turn = settle(resolve);
      const gone = settle(() => reject(givenUp.reason));
      const late = settle(() => reject(new GateFull('No place became free in time')));
      const patience = setTimeout(late, patienceMilliseconds);
      givenUp.addEventListener('abort', gone);
      waiting.add(turn);
    });
  }

  /** The place goes straight to whoever has waited longest. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async pass(work, givenUp) {
      await enter(givenUp);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
