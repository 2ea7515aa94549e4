import { setTimeout as sleep } from 'node:timers/promises';

/** So many faults in a row, whatever was asked for, say that the source is in trouble, and not one request. */
const OPENS_AFTER = 8;
/** The first pause by the pace of the source: five minutes at 2 s, and never more than ten at first. */
const PAUSE_TIMES = 150;
const FIRST_PAUSE_MOST_SECONDS = 600;
/** Pauses double up to so many times the first: an hour at IEM. */
const MOST_TIMES = 12;
/** More than a day of pauses at the pace of any source; then what is left is left for another run. */
const PROBES = 30;

/**
 * What stands between the loader and a source in trouble. It waits instead of failing: while it is open, one request
 * at a time tries whether the source answers again, with pauses that grow. No slice fails by that.
 */
export class CircuitBreaker {
  /** Faults since the source last answered. */
  faults = 0;
  /** The source has not answered for so long that this run will not ask it any more. */
  gaveUp = false;
  private readonly firstPauseSeconds: number;
  private probes = 0;
  private until = 0;

  constructor(intervalSeconds: number) {
    this.firstPauseSeconds = Math.min(FIRST_PAUSE_MOST_SECONDS, Math.max(1, intervalSeconds * PAUSE_TIMES));
  }

  get isOpen(): boolean {
    return this.faults >= OPENS_AFTER;
  }

  answered(): void {
    if (this.isOpen) this.until = 0;
    this.faults = 0;
    this.probes = 0;
  }

  /** @param retryAfterSeconds how long the source asks to be left alone: whatever is asked of it waits for that */
  failed(retryAfterSeconds = 0): void {
    this.faults += 1;
    const pauseSeconds = this.faults === OPENS_AFTER ? this.pauseSeconds : 0;
    const rest = Math.max(pauseSeconds, retryAfterSeconds) * 1000;
    if (rest > 0) this.until = Math.max(this.until, performance.now() + rest);
    // The last try is made, and nothing is waited for after it.
    if (this.probes >= PROBES) this.gaveUp = true;
  }

  /** How long the source is left alone from one try to the next. */
  get pauseSeconds(): number {
    return this.firstPauseSeconds * Math.min(MOST_TIMES, 2 ** this.probes);
  }

  /**
   * Returns when a request may be made: at once while the source answers, else when it is this request's turn to try.
   * Check `gaveUp` after it.
   */
  async pass(signal: AbortSignal): Promise<void> {
    while (!this.gaveUp) {
      const now = performance.now();
      if (now >= this.until) {
        if (!this.isOpen) return;
        this.probes += 1;
        this.until = now + this.pauseSeconds * 1000;
        return;
      }
      // Looked at again every second: the source may answer others meanwhile, or be given up.
      await sleep(Math.min(this.until - now, 1000), undefined, { signal });
    }
  }
}
