export class SingleFlight<T> {
  #running: Promise<T> | undefined;

  get running(): Promise<T> | undefined {
    return this.#running;
  }

  join(start: () => Promise<T>): Promise<T> {
    this.#running ??= start().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** A failure belongs to the caller that started the run; the others start one new run. Throws once the own signal aborts. */
  async joinUntilSuccess(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    while (this.#running !== undefined) {
      const shared = this.#running;
      if (await waitForSuccess(shared, signal)) return shared;
    }
    return this.join(start);
  }
}

/** Waits for the run of another caller, and returns whether it succeeded. Throws as soon as `signal` aborts. */
export function waitForSuccess(run: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const settle = (succeeded: boolean) => () => {
      signal.removeEventListener('abort', abort);
      resolve(succeeded);
    };
    run.then(settle(true), settle(false));
    if (signal.aborted) abort();
  });
}

/** A moment of a `LogicalClock`. Later moments are greater. */
export type Moment = number & { readonly [moment]: true };
declare const moment: unique symbol;

export const START = 0 as Moment;

/** Orders reads of the archive: one that began at a moment is as new as every read that ended at or before it. */
export class LogicalClock {
  #last = START;

  get now(): Moment {
    return this.#last;
  }

  tick(): Moment {
    this.#last = (this.#last + 1) as Moment;
    return this.#last;
  }
}
