import { setTimeout } from 'node:timers/promises';

/** Waiting between attempts: injected, so that a test can pass hours of an outage without waiting. */
export type Timer = {
  /** Milliseconds since an arbitrary fixed moment; monotonic. */
  readonly elapsedMs: () => number;
  /** Rejects if `signal` aborts first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

export const SYSTEM_TIMER: Timer = {
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
