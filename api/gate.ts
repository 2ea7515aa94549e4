/** A number of places, and a bounded queue before them. */
export type Gate = {
  /** Runs the work when a place is free. Throws `GateFull` when the queue is full, or when waiting took too long. */
  pass<T>(work: () => Promise<T>): Promise<T>;
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

  async function enter(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.size >= queue) throw new GateFull('Too many queries wait already');
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(patience);
        waiting.delete(turn);
        resolve();
      };
      const patience = setTimeout(() => {
        waiting.delete(turn);
        reject(new GateFull('No place became free in time'));
      }, patienceMilliseconds);
      waiting.add(turn);
    });
  }

  /** The place goes straight to whoever waited longest. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async pass(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
