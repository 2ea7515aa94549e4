import { setImmediate as turn } from 'node:timers/promises';

const LONGEST_MS = 10;
/** Steps of work between two reads of the clock: a read takes as long as a step. */
const STEPS = 64;

/** Pauses in the work for one request. During each, other requests run; if the result is no longer needed, the work ends there. */
export class Pauses {
  readonly signal: AbortSignal | undefined;
  #since = performance.now();
  #steps = 0;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** Whether the work has lasted long enough; to ask before each step, a report or a row. */
  get isDue(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS === 0 && this.isDueNow;
  }

  /** The same before a step of many rows. */
  get isDueNow(): boolean {
    return performance.now() - this.#since > LONGEST_MS;
  }

  /** @throws the reason of the signal */
  async take(): Promise<void> {
    await turn();
    this.signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
