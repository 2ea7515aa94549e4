import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Body,
  InvalidResponseError,
  type RateLimit,
  RejectedRequestError,
  type SourceRequest,
} from '../sources/source.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { backoffSeconds, IDLE_TIMEOUT_MS, REQUEST_ATTEMPTS, retryAfterSeconds } from './retry-policy.ts';
import { Throttle } from './throttle.ts';

/** What all requests to one source share. */
export type SourceClient = {
  readonly throttle: Throttle;
  readonly intervalSeconds: number;
  readonly userAgent: string;
  readonly breaker: CircuitBreaker;
  readonly signal: AbortSignal;
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
): SourceClient {
  const throttle = new Throttle(intervalSeconds, parallel);
  const breaker = new CircuitBreaker(intervalSeconds);
  return { throttle, intervalSeconds, breaker, userAgent, signal, events };
}

export type Failure = {
  readonly kind: 'failed';
  readonly reason: string;
  /** The source rejects this request whenever it is sent. */
  readonly isRejected?: true;
};

export type FetchResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The source has nothing for the request. */
  | { readonly kind: 'absent' }
  | Failure;

type Attempt<T> =
  | Exclude<FetchResult<T>, Failure>
  | { readonly kind: 'error'; readonly reason: string; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Sends a request and parses the response; waits out throttling and errors of the source (see retry-policy.ts). */
export async function fetchWithRetry<T>(
  client: SourceClient,
  request: SourceRequest,
  parse: (body: Body) => Promise<T>,
  attempts = REQUEST_ATTEMPTS,
): Promise<FetchResult<T>> {
  const { breaker } = client;
  for (let attempt = 1; ; ) {
    const isProbe = breaker.isOpen;
    await breaker.waitForTurn(client.signal);
    if (breaker.isExhausted)
      return {
        kind: 'failed',
        reason: 'the source was unavailable for too long; this run has stopped requesting',
      };
    const result = await client.throttle.run(client.signal, () => fetchOnce(client, request, parse));
    if (result.kind !== 'error') {
      breaker.recordSuccess();
      return result.kind === 'rejected'
        ? { kind: 'failed', reason: result.reason, isRejected: true }
        : result;
    }
    breaker.recordFailure(result.retryAfterSeconds);
    if (breaker.isOpen) client.events.pausing(result.reason, breaker.pauseSeconds);
    // A failed probe says nothing about this request.
    if (isProbe) continue;
    if (attempt === attempts) return { kind: 'failed', reason: `${result.reason} (${attempts} attempts)` };
    attempt += 1;
    if (breaker.isOpen) continue;
    const backoff = backoffSeconds(breaker.failures, client.intervalSeconds);
    const wait = Math.max(backoff, result.retryAfterSeconds ?? 0);
    client.events.retrying(request.url, result.reason, wait);
    await sleep(wait * 1000, undefined, { signal: client.signal });
  }
}

async function fetchOnce<T>(
  client: SourceClient,
  request: SourceRequest,
  parse: (body: Body) => Promise<T>,
): Promise<Attempt<T>> {
  const timeout = new IdleTimeout(IDLE_TIMEOUT_MS, client.signal);
  try {
    client.events.started();
    const response = await fetch(request.url, {
      headers: { 'user-agent': client.userAgent },
      signal: timeout.signal,
    });
    if (response.status === 404 && request.mayBeAbsent) {
      await response.body?.cancel();
      return { kind: 'absent' };
    }
    if (!response.ok) return await errorOf(response);
    return { kind: 'ok', value: await parse(chunksOf(response, timeout, client.events)) };
  } catch (error) {
    if (client.signal.aborted) throw error;
    if (error instanceof InvalidResponseError) return { kind: 'error', reason: error.message };
    if (error instanceof RejectedRequestError) return { kind: 'rejected', reason: error.message };
    if (timeout.isExpired) return { kind: 'error', reason: `no data for ${IDLE_TIMEOUT_MS / 1000} s` };
    if (isNetworkError(error)) return { kind: 'error', reason: causeOf(error) };
    throw error;
  } finally {
    timeout.clear();
  }
}

/** Of 4xx, these concern the client or the moment: unauthorized, forbidden, request timeout, too many requests. */
const RETRIED_STATUSES = new Set([401, 403, 408, 429]);

/** Throttling (429, and 501 at Ogimet) and errors of the source pass; any other 4xx says that the request is wrong. */
async function errorOf(response: Response): Promise<Attempt<never>> {
  const text = (await response.text()).trim().replace(/\s+/g, ' ').slice(0, 120);
  const reason = `${response.status} ${text}`.trim();
  if (response.status < 500 && !RETRIED_STATUSES.has(response.status)) return { kind: 'rejected', reason };
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'), new Date());
  return { kind: 'error', reason, retryAfterSeconds: retryAfter };
}

async function* chunksOf(response: Response, timeout: IdleTimeout, events: FetchEvents): Body {
  for await (const chunk of response.body ?? []) {
    timeout.restart();
    events.received(chunk.byteLength);
    yield chunk;
  }
}

/** `fetch` reports every network error as a TypeError, with the actual error as its cause. */
function isNetworkError(error: unknown): error is TypeError {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');
}

function causeOf(error: TypeError): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name);
}
