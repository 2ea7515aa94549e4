import {
  MAX_PROBES,
  OUTAGE_AFTER_FAILURES,
  probePauseSeconds,
  SYSTEM_TIMER,
  type Timer,
} from './retry-policy.ts';

/** While requests wait, a success of another request may end the outage: they check once a second. */
const CHECK_EVERY_MS = 1000;

/**
 * Stops requests to an unavailable source. Requests wait instead of failing: during an outage, one at a time is sent as
 * a probe, with growing pauses, so an outage of hours fails no slice.
 */
export class SourceOutage {
  /** Failed attempts since the last success. */
  failures = 0;
  /** All probes have failed: this run sends the source no further request. */
  isExhausted = false;
  private readonly intervalSeconds: number;
  private readonly timer: Timer;
  private readonly patienceSeconds: number;
  private probes = 0;
  private nextProbeAt = 0;
  private failingSince: number | undefined;

  /** @param patienceSeconds of consecutive failures after which the run gives up, instead of the probe limit */
  constructor(intervalSeconds: number, timer = SYSTEM_TIMER, patienceSeconds = Number.POSITIVE_INFINITY) {
    this.intervalSeconds = intervalSeconds;
    this.timer = timer;
    this.patienceSeconds = patienceSeconds;
  }

  get isOngoing(): boolean {
    return this.failures >= OUTAGE_AFTER_FAILURES;
  }

  /** From the last probe to the next. */
  get pauseSeconds(): number {
    return probePauseSeconds(this.probes, this.intervalSeconds);
  }

  recordSuccess(): void {
    if (this.isOngoing) this.nextProbeAt = 0;
    this.failures = 0;
    this.probes = 0;
    this.failingSince = undefined;
  }

  /** @param retryAfterSeconds of the source's response: every request to the source waits for it */
  recordFailure(retryAfterSeconds = 0): void {
    this.failures += 1;
    const pauseSeconds = this.failures === OUTAGE_AFTER_FAILURES ? this.pauseSeconds : 0;
    const waitMs = Math.max(pauseSeconds, retryAfterSeconds) * 1000;
    if (waitMs > 0) this.nextProbeAt = Math.max(this.nextProbeAt, this.timer.elapsedMs() + waitMs);
    this.failingSince ??= this.timer.elapsedMs();
    if (this.probes >= MAX_PROBES) this.isExhausted = true;
  }

  /** Whether the run gives up, because the source would have failed for too long after this pause. */
  isOverAfter(pauseSeconds: number): boolean {
    const now = this.timer.elapsedMs();
    const failedSeconds = (now - (this.failingSince ?? now)) / 1000 + pauseSeconds;
    if (failedSeconds > this.patienceSeconds) this.isExhausted = true;
    return this.isExhausted;
  }

  /**
   * Resolves when a request may be sent: at once if there is no outage, else when this request is the next probe. Check
   * `isExhausted` afterwards.
   */
  async waitForTurn(signal: AbortSignal): Promise<void> {
    while (!this.isExhausted) {
      const now = this.timer.elapsedMs();
      if (now >= this.nextProbeAt) {
        if (!this.isOngoing) return;
        this.probes += 1;
        // The last probes may take longer than a pause, so no other is sent before they fail.
        this.nextProbeAt =
          this.probes < MAX_PROBES ? now + this.pauseSeconds * 1000 : Number.POSITIVE_INFINITY;
        return;
      }
      await this.timer.sleep(Math.min(this.nextProbeAt - now, CHECK_EVERY_MS), signal);
    }
  }
}
