import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_TIMER, type Timer } from '../http/retry-policy.ts';

/** The time, and waiting for it: injected, so that a test can pass several days without waiting. */
export type Clock = {
  readonly now: () => Date;
  /** Resolves at this time; rejects if `signal` aborts first. */
  readonly waitUntil: (time: Date, signal: AbortSignal) => Promise<void>;
  readonly deadline: (time: Date) => AbortSignal;
  /** For pauses between attempts. */
  readonly timer: Timer;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  waitUntil: async (time, signal) => {
    await sleep(msUntil(time), undefined, { signal });
  },
  deadline: (time) => AbortSignal.timeout(msUntil(time)),
  timer: SYSTEM_TIMER,
};

function msUntil(time: Date): number {
  return Math.max(0, time.getTime() - Date.now());
}
