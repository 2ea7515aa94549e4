import type { Body, RateLimit, SourceRequest } from '../sources/source.ts';
import { type FetchResult, fetchOnce, type RequestOptions } from './fetch-once.ts';
import {
  backoffSeconds,
  MAX_PROBES,
  OUTAGE_AFTER_FAILURES,
  probePauseSeconds,
  REQUEST_ATTEMPTS,
  SYSTEM_TIMER,
  type Timer,
} from './retry-policy.ts';

export type SourceClient = ReturnType<typeof createSourceClient>;

export type FetchEvents = {
  readonly started?: () => void;
  readonly received?: (bytes: number) => void;
  /** The source is unavailable; the next probe comes after `waitSeconds`. */
  readonly pausing: (reason: string, waitSeconds: number) => void;
  readonly retrying: (url: string, reason: string, waitSeconds: number) => void;
};

export function createSourceClient(
  rateLimit: RateLimit,
  options: Pick<RequestOptions, 'userAgent' | 'signal' | 'now'> & { readonly events: FetchEvents },
  timer = SYSTEM_TIMER,
  patienceSeconds?: number,
) {
  const { userAgent, signal, events, now } = options;
  const { intervalSeconds } = rateLimit;
  const throttle = createThrottle(rateLimit, timer, signal);
  const outage = new SourceOutage(intervalSeconds, timer, patienceSeconds);
  return { timer, throttle, intervalSeconds, outage, userAgent, signal, events, now };
}

export type Failure = Extract<FetchResult<never>, { kind: 'failed' }>;

const UNAVAILABLE = 'the source was unavailable for too long; this run sends it no more requests';

/** Sends a request and parses the response; waits out throttling and source errors (see retry-policy.ts). */
export async function fetchWithRetry<T>(
  client: SourceClient,
  request: SourceRequest,
  parse: (body: Body) => Promise<T>,
  attempts = REQUEST_ATTEMPTS,
): Promise<FetchResult<T>> {
  const { outage } = client;
  for (let attempt = 1; ; ) {
    const isProbe = outage.isOngoing;
    await outage.waitForTurn(client.signal);
    if (outage.isExhausted) return { kind: 'failed', reason: UNAVAILABLE };
    const result = await client.throttle(() => {
      client.events.started?.();
      return fetchOnce({ ...client, onBytes: client.events.received }, request, parse);
    });
    if (result.kind !== 'failed' || result.isRejected) {
      outage.recordSuccess();
      return result;
    }
    const wait = outage.recordFailure(result.retryAfterSeconds);
    if (outage.isExhausted) return { kind: 'failed', reason: `${result.reason}: ${UNAVAILABLE}` };
    if (outage.isOngoing) client.events.pausing(result.reason, outage.pauseSeconds);
    // A failed probe says nothing about this request.
    if (isProbe) continue;
    if (attempt === attempts) return { kind: 'failed', reason: `${result.reason} (${attempts} attempts)` };
    attempt += 1;
    if (outage.isOngoing) continue;
    client.events.retrying(request.url, result.reason, wait);
    await client.timer.sleep(wait * 1000, client.signal);
  }
}

/**
 * The rate limit of one source: at most `parallel` requests in progress, and at least `intervalSeconds` from the start
 * of one to the start of the next, retries included.
 *
 * @returns runs one request when it may start; rejects when `signal` aborts before that
 */
function createThrottle({ intervalSeconds, parallel }: RateLimit, timer: Timer, signal: AbortSignal) {
  const queue: (() => void)[] = [];
  let [permits, nextStart] = [parallel, 0];
  const waitMs = () => nextStart - timer.elapsedMs();
  return async <T>(request: () => Promise<T>): Promise<T> => {
    if (permits > 0) permits -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      for (let wait = waitMs(); wait > 0; wait = waitMs()) await timer.sleep(wait, signal);
      signal.throwIfAborted();
      // From the actual start: after a late timer the next request must not start sooner.
      nextStart = timer.elapsedMs() + intervalSeconds * 1000;
      return await request();
    } finally {
      const next = queue.shift();
      if (next === undefined) permits += 1;
      else next();
    }
  };
}

/** Waiting requests check this often whether the success of another request has ended the outage. */
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

  get pauseSeconds(): number {
    return probePauseSeconds(this.probes, this.intervalSeconds);
  }

  recordSuccess(): void {
    if (this.isOngoing) this.nextProbeAt = 0;
    this.failures = 0;
    this.probes = 0;
    this.failingSince = undefined;
  }

  /**
   * @param retryAfterSeconds of the source's response: every request to the source waits for it
   * @returns seconds to wait, unless `isExhausted`: the run gives up at once where the source would then have failed for too long
   */
  recordFailure(retryAfterSeconds = 0): number {
    const now = this.timer.elapsedMs();
    this.failures += 1;
    this.failingSince ??= now;
    const pauseSeconds = this.failures === OUTAGE_AFTER_FAILURES ? this.pauseSeconds : 0;
    const waitMs = Math.max(pauseSeconds, retryAfterSeconds) * 1000;
    if (waitMs > 0) this.nextProbeAt = Math.max(this.nextProbeAt, now + waitMs);
    const wait = this.isOngoing ? this.pauseSeconds : backoffSeconds(this.failures, this.intervalSeconds);
    const seconds = Math.max(wait, retryAfterSeconds);
    const failedSeconds = (now - this.failingSince) / 1000 + seconds;
    if (this.probes >= MAX_PROBES || failedSeconds > this.patienceSeconds) this.isExhausted = true;
    return seconds;
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
