/** A run that concurrent callers share. */
export class SingleFlight<T> {
  #running: Promise<T> | undefined;

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Joins the run in progress, sharing any failure, or starts one. */
  join(start: () => Promise<T>): Promise<T> {
    this.#running ??= start().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The result of a run started after this call: a run in progress may miss what happened since its start. */
  async joinNext(start: () => Promise<T>): Promise<T> {
    await this.#running?.catch(() => {});
    return this.join(start);
  }

  /**
   * Joins a run that a signal can end. A failure belongs to the caller that started the run, whose signal may have
   * caused it; the other callers start one new run together. Throws as soon as the caller's own signal aborts.
   */
  async joinUntilSuccess(start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    while (this.#running !== undefined) {
      const shared = this.#running;
      if (await waitForSuccess(shared, signal)) return shared;
    }
    return this.join(() => start(signal));
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
