import { setTimeout as sleep } from 'node:timers/promises';

/** Lets one request start at a time, at least `intervalSeconds` after the one before: start to start, retries too. */
export class Pace {
  private readonly intervalMs: number;
  private nextStart = 0;

  constructor(intervalSeconds: number) {
    this.intervalMs = intervalSeconds * 1000;
  }

  /** Resolves when the caller may start; rejects when `signal` aborts first. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.nextStart);
    this.nextStart = start + this.intervalMs;
    if (start > now) await sleep(start - now, undefined, { signal });
  }
}
