import type { Body, RateLimit, SourceRequest } from '../sources/source.ts';
import { type Attempt, fetchOnce, type RequestOptions } from './fetch-once.ts';
import { backoffSeconds, REQUEST_ATTEMPTS, SYSTEM_TIMER, type Timer } from './retry-policy.ts';
import { SourceOutage } from './source-outage.ts';

/** What all requests to one source share. */
export type SourceClient = Pick<RequestOptions, 'userAgent' | 'signal'> & {
  readonly timer: Timer;
  readonly throttle: Throttle;
  readonly intervalSeconds: number;
  readonly outage: SourceOutage;
  readonly events: FetchEvents;
};

export type FetchEvents = {
  readonly started: () => void;
  readonly received: (bytes: number) => void;
  /** The source is unavailable; the next probe comes after `waitSeconds`. */
  readonly pausing: (reason: string, waitSeconds: number) => void;
  readonly retrying: (url: string, reason: string, waitSeconds: number) => void;
};

export function createSourceClient(
  { intervalSeconds, parallel }: RateLimit,
  { userAgent, signal, events }: Pick<SourceClient, 'userAgent' | 'signal' | 'events'>,
  timer = SYSTEM_TIMER,
  patienceSeconds?: number,
): SourceClient {
  const throttle = new Throttle(intervalSeconds, parallel, timer);
  const outage = new SourceOutage(intervalSeconds, timer, patienceSeconds);
  return { timer, throttle, intervalSeconds, outage, userAgent, signal, events };
}

export type Failure = {
  readonly kind: 'failed';
  readonly reason: string;
  /** The source will always reject this request. */
  readonly isRejected?: true;
};

export type FetchResult<T> = Extract<Attempt<T>, { kind: 'ok' | 'absent' }> | Failure;

const UNAVAILABLE = 'the source was unavailable for too long; this run has stopped requesting';

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
    const result = await client.throttle.run(client.signal, () => {
      client.events.started();
      return fetchOnce({ ...client, onBytes: client.events.received }, request, parse);
    });
    if (result.kind !== 'error') {
      outage.recordSuccess();
      return result.kind === 'rejected'
        ? { kind: 'failed', reason: result.reason, isRejected: true }
        : result;
    }
    outage.recordFailure(result.retryAfterSeconds);
    const backoff = backoffSeconds(outage.failures, client.intervalSeconds);
    const wait = Math.max(outage.isOngoing ? outage.pauseSeconds : backoff, result.retryAfterSeconds ?? 0);
    if (outage.isOverAfter(wait)) return { kind: 'failed', reason: `${result.reason}: ${UNAVAILABLE}` };
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
 */
class Throttle {
  private readonly intervalMs: number;
  private readonly timer: Timer;
  private permits: number;
  private nextStart = 0;
  private readonly queue: (() => void)[] = [];

  constructor(intervalSeconds: number, parallel: number, timer: Timer) {
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
