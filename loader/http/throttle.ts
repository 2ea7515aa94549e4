import { SYSTEM_TIMER, type Timer } from './timer.ts';

/**
 * The rate limit of one source: at most `parallel` requests in progress, and at least `intervalSeconds` from the start
 * of one to the start of the next, retries included.
 */
export class Throttle {
  private readonly intervalMs: number;
  private readonly timer: Timer;
  private permits: number;
  private nextStart = 0;
  private readonly queue: (() => void)[] = [];

  constructor(intervalSeconds: number, parallel = 1, timer = SYSTEM_TIMER) {
    this.intervalMs = intervalSeconds * 1000;
    this.timer = timer;
    this.permits = parallel;
  }

  /** Runs one request when it may start; rejects when `signal` aborts before that. */
  async run<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    if (this.permits > 0) this.permits -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      for (let wait = this.waitMs(); wait > 0; wait = this.waitMs()) await this.timer.sleep(wait, signal);
      signal.throwIfAborted();
      // From the actual start: after a late timer the next request must not start sooner.
      this.nextStart = this.timer.elapsedMs() + this.intervalMs;
      return await request();
    } finally {
      const next = this.queue.shift();
      if (next === undefined) this.permits += 1;
      else next();
    }
  }

  private waitMs(): number {
    return this.nextStart - this.timer.elapsedMs();
  }
}
