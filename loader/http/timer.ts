import { setTimeout } from 'node:timers/promises';

/** Waiting between tries: an argument, so that a test passes hours of an outage without waiting. */
export type Timer = {
  /** Milliseconds since any fixed moment; never goes back. */
  readonly elapsedMs: () => number;
  /** Rejects when `signal` aborts before. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

export const SYSTEM_TIMER: Timer = {
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
