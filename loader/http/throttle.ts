import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a source is spared: no more than `parallel` requests under way at once, and at least `intervalSeconds` from
 * the start of one to the start of the next, repeated ones included.
 */
export class Throttle {
  private readonly intervalMs: number;
  private free: number;
  private nextStart = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(intervalSeconds: number, parallel = 1) {
    this.intervalMs = intervalSeconds * 1000;
    this.free = parallel;
  }

  private early(): number {
    return this.nextStart - performance.now();
  }

  /** Makes one request when it may start; rejects when `signal` aborts while it waits for its start. */
  async keep<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      // Counted from when it really starts: a timer that comes late must not bring the next start nearer.
      for (let early = this.early(); early > 0; early = this.early())
        await sleep(early, undefined, { signal });
      signal.throwIfAborted();
      this.nextStart = performance.now() + this.intervalMs;
      return await request();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
