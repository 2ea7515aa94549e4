import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Body,
  InvalidResponseError,
  type RateLimit,
  RejectedRequestError,
  type SourceRequest,
} from '../sources/source.ts';
import { backoffSeconds, retryAfterSeconds } from './backoff.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { Throttle } from './throttle.ts';

/** IEM computes for minutes before the first byte; nothing that is alive pauses longer between two chunks. */
const SILENCE_MS = 300_000;
const ATTEMPTS = 8;

/** The way to one source: its pace, and who we say we are. */
export type SourceClient = {
  readonly pace: Throttle;
  readonly intervalSeconds: number;
  readonly userAgent: string;
  /** The longer the source is in trouble, whatever was asked for, the longer it is left alone. */
  readonly breaker: CircuitBreaker;
  readonly signal: AbortSignal;
  /** Told of every request that starts, every byte that arrives and every answer that has to be asked for again. */
  readonly watch: FetchEvents;
};

export function createSourceClient(
  courtesy: RateLimit,
  { userAgent, signal, watch }: Pick<SourceClient, 'userAgent' | 'signal' | 'watch'>,
): SourceClient {
  const { intervalSeconds, parallel } = courtesy;
  const pace = new Throttle(intervalSeconds, parallel);
  return { pace, intervalSeconds, breaker: new CircuitBreaker(intervalSeconds), userAgent, signal, watch };
}

export type FetchEvents = {
  readonly started: () => void;
  readonly received: (bytes: number) => void;
  /** The source is in trouble and is left alone. */
  readonly pausing: (reason: string, waitSeconds: number) => void;
  readonly retrying: (url: string, reason: string, waitSeconds: number) => void;
};

export type FetchResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The source says that it holds nothing there. */
  | { readonly kind: 'absent' }
  /** Not to be had now: refused, or nothing but faults however often it was asked. */
  | { readonly kind: 'failed'; readonly reason: string /** For good. */; readonly refused?: true };

type Attempt<T> =
  | Exclude<FetchResult<T>, { kind: 'failed' }>
  | { readonly kind: 'fault'; readonly reason: string; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/** Asks until there is an answer, patiently: throttling and faults of the source are waited out. */
export async function fetchWithRetry<T>(
  line: SourceClient,
  request: SourceRequest,
  read: (body: Body) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<FetchResult<T>> {
  const { breaker } = line;
  for (let attempt = 1; ; ) {
    const isProbe = breaker.isOpen;
    await breaker.pass(line.signal);
    if (breaker.gaveUp) return { kind: 'failed', reason: 'the source has not answered for too long' };
    const result = await line.pace.keep(line.signal, () => once(line, request, read));
    if (result.kind === 'answered' || result.kind === 'absent') {
      breaker.answered();
      return result;
    }
    if (result.kind === 'refused') {
      breaker.answered();
      return { kind: 'failed', reason: result.reason, refused: true };
    }
    breaker.failed(result.retryAfterSeconds);
    if (breaker.isOpen) line.watch.pausing(result.reason, breaker.pauseSeconds);
    // What fails while the source is in trouble tells nothing of the request.
    if (isProbe) continue;
    if (attempt === attempts) return { kind: 'failed', reason: `${result.reason} (asked ${attempts} times)` };
    attempt += 1;
    if (breaker.isOpen) continue;
    const backoff = backoffSeconds(breaker.faults, line.intervalSeconds);
    const wait = Math.max(backoff, result.retryAfterSeconds ?? 0);
    line.watch.retrying(request.url, result.reason, wait);
    await sleep(wait * 1000, undefined, { signal: line.signal });
  }
}

async function once<T>(
  line: SourceClient,
  request: SourceRequest,
  read: (body: Body) => Promise<T>,
): Promise<Attempt<T>> {
  const silence = new IdleTimeout(line.signal);
  try {
    line.watch.started();
    const response = await fetch(request.url, {
      headers: { 'user-agent': line.userAgent },
      signal: silence.signal,
    });
    if (response.status === 404 && request.mayBeAbsent) {
      await response.body?.cancel();
      return { kind: 'absent' };
    }
    if (!response.ok) return await refusal(response);
    return { kind: 'answered', value: await read(counted(response, silence, line.watch)) };
  } catch (error) {
    if (line.signal.aborted) throw error;
    if (error instanceof InvalidResponseError) return { kind: 'fault', reason: error.message };
    if (error instanceof RejectedRequestError) return { kind: 'refused', reason: error.message };
    if (silence.broken) return { kind: 'fault', reason: `silent for ${SILENCE_MS / 1000} s` };
    if (isTransport(error)) return { kind: 'fault', reason: transportReason(error) };
    throw error;
  } finally {
    silence.end();
  }
}

/** They refuse us, or all for now, and not the request: unauthorized, forbidden, timeout, too many requests. */
const NOT_OF_THE_REQUEST = new Set([401, 403, 408, 429]);

/** Throttling (429, and 501 at Ogimet) and faults pass; any 4xx not named above says that the request itself is wrong. */
async function refusal(response: Response): Promise<Attempt<never>> {
  const text = (await response.text()).trim().replace(/\s+/g, ' ').slice(0, 120);
  const reason = `${response.status} ${text}`.trim();
  if (response.status >= 500 || NOT_OF_THE_REQUEST.has(response.status))
    return {
      kind: 'fault',
      reason,
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), new Date()),
    };
  return { kind: 'refused', reason };
}

async function* counted(response: Response, silence: IdleTimeout, watch: FetchEvents): Body {
  for await (const chunk of response.body ?? []) {
    silence.heard();
    watch.received(chunk.byteLength);
    yield chunk;
  }
}

/** `fetch` reports every trouble on the way as a TypeError with the true one as its cause. */
function isTransport(error: unknown): error is TypeError {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');
}

function transportReason(error: TypeError): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name);
}

/** Aborts a request on which nothing has arrived for too long, or when the loader stops. */
class IdleTimeout {
  broken = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly outer: AbortSignal;
  private readonly stop = () => this.controller.abort(this.outer.reason);

  constructor(outer: AbortSignal) {
    this.outer = outer;
    this.timer = setTimeout(() => {
      this.broken = true;
      this.controller.abort();
    }, SILENCE_MS);
    if (outer.aborted) this.stop();
    else outer.addEventListener('abort', this.stop);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.stop);
  }
}
