import { compareClocks, responseTime } from '../clocks.ts';
import { type Body, InvalidResponseError, type SourceRequest } from '../sources/source.ts';
import { MAX_REDIRECTS, retryAfterSeconds, TIME_LIMITS, type TimeLimits } from './retry-policy.ts';

export type RequestOptions = {
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** The clock that is compared with the clocks of sources. If absent, no clocks are compared. */
  readonly now?: (() => Date) | undefined;
};

export type FetchResult<T> =
  | (({ readonly kind: 'ok'; readonly value: T } | { readonly kind: 'absent' }) & SourceTime)
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** The source will always reject this request. */
      readonly isRejected?: true;
      readonly retryAfterSeconds?: number | undefined;
    };

/** When the source made its response, by its own clock; `undefined` where it does not say. */
type SourceTime = { readonly madeAt: number | undefined };

/**
 * Sends a request once and parses the response. Throws when `signal` aborts, errors of the program, and a `ClockError`
 * if the source has another time than this machine.
 */
export async function fetchOnce<T>(
  { userAgent, signal, onBytes, now }: RequestOptions,
  request: SourceRequest,
  parse: (body: Body) => Promise<T>,
  { idleMs, totalMs }: TimeLimits = TIME_LIMITS,
): Promise<FetchResult<T>> {
  const { maxSeconds = totalMs / 1000 } = request;
  const begunAt = now?.();
  const timeout = new AbortController();
  const idle = setTimeout(() => timeout.abort(`no data for ${idleMs / 1000} s`), idleMs);
  const total = setTimeout(() => timeout.abort(`not complete after ${maxSeconds} s`), maxSeconds * 1000);
  try {
    const stop = AbortSignal.any([signal, timeout.signal]);
    const response = await followRedirects(request, userAgent, stop);
    const isAbsent = response.status === 404 && request.mayBeAbsent;
    if ((!response.ok || response.status === 206) && !isAbsent) return await errorOf(response);
    const madeAt = await checkedTime(response, begunAt, now);
    if (isAbsent) {
      await response.body?.cancel();
      return { kind: 'absent', madeAt };
    }
    return { kind: 'ok', madeAt, value: await parse(chunksOf(response, request.maxBytes, idle, onBytes)) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof InvalidResponseError) return { kind: 'failed', reason: plainText(error.message) };
    if (timeout.signal.aborted) return { kind: 'failed', reason: String(timeout.signal.reason) };
    if (isNetworkError(error)) return { kind: 'failed', reason: plainText(causeOf(error)) };
    throw error;
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
  }
}

/** The time of a response. Throws before the body is read if it differs from that of this machine. */
async function checkedTime(response: Response, begunAt: Date | undefined, now: RequestOptions['now']) {
  const time = responseTime(response.headers);
  try {
    if (time && begunAt && now)
      compareClocks({ from: begunAt, to: now() }, time.sentAt, new URL(response.url).host);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  return time?.madeAt;
}

const CLOCK_TIMEOUT_MS = 30_000;

/**
 * Compares the clock of a source with that of this machine by a minimal request, before the first request for times, which
 * could be in the future. If there is no response, or none with a time, the next responses are compared.
 *
 * @throws ClockError if they differ
 */
export async function checkSourceClock({ userAgent, signal, now }: RequestOptions, host: string) {
  const begunAt = now?.();
  const options = {
    method: 'HEAD',
    headers: { 'user-agent': userAgent, 'cache-control': 'no-cache' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(CLOCK_TIMEOUT_MS)]),
    redirect: 'manual',
  } as const;
  const response = await fetch(`${host}/robots.txt`, options).catch(() => undefined);
  signal.throwIfAborted();
  if (response !== undefined) await checkedTime(response, begunAt, now);
}

/** Not about the request: a part that would pass as the whole, unauthorized, forbidden, request timeout, too many requests. */
const RETRIED_STATUSES = new Set([206, 401, 403, 408, 429]);

/** Throttling (429, and 501 from Ogimet) and source errors are transient; any other 4xx means a wrong request. */
async function errorOf(response: Response): Promise<FetchResult<never>> {
  const reason = `${response.status} ${await startOfText(response)}`.trim();
  if (response.status < 500 && !RETRIED_STATUSES.has(response.status))
    return { kind: 'failed', reason, isRejected: true };
  const sentAt = responseTime(response.headers)?.sentAt;
  const now = sentAt === undefined ? new Date() : new Date(sentAt * 1000);
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'), now);
  return { kind: 'failed', reason, retryAfterSeconds: retryAfter };
}

/** In characters; runs of white space are then shortened. */
const MAX_ERROR_BODY = 4096;
const MAX_ERROR_TEXT = 120;

/** The start of an error text, as far as it arrives in time. The connection is closed without reading the rest. */
async function startOfText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    // Leaving the loop cancels the body.
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_ERROR_BODY) break;
    }
  } catch {
    // If the text cannot be read, the status is enough.
  }
  return plainText(text.slice(0, MAX_ERROR_BODY));
}

/** One line, without the control characters that a terminal would obey. */
function plainText(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ERROR_TEXT);
}

async function* chunksOf(
  response: Response,
  maxBytes: number,
  idle: NodeJS.Timeout,
  onBytes: RequestOptions['onBytes'],
): Body {
  let total = 0;
  for await (const chunk of response.body ?? []) {
    idle.refresh();
    onBytes?.(chunk.byteLength);
    total += chunk.byteLength;
    if (total > maxBytes) throw new InvalidResponseError(`more than ${maxBytes / 1e6} MB`);
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

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request, following redirects within its host and to hosts that its source names. */
async function followRedirects(request: SourceRequest, userAgent: string, signal: AbortSignal) {
  const headers = { 'user-agent': userAgent };
  const start = new URL(request.url);
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, url.href))
      throw new InvalidResponseError(
        `redirected to ${JSON.stringify(location.slice(0, 80))}, which is not a URL`,
      );
    url = new URL(location, url);
    if (!isAllowed(url, start, request.redirectHosts ?? []))
      throw new InvalidResponseError(`redirected to another host, ${url.origin}`);
  }
  throw new InvalidResponseError(`redirected more than ${MAX_REDIRECTS} times`);
}

/** The same origin, or the same or a named host over TLS. */
function isAllowed(target: URL, start: URL, hosts: readonly string[]): boolean {
  if (target.origin === start.origin) return true;
  if (target.protocol !== 'https:' || target.port !== '') return false;
  return target.hostname === start.hostname || hosts.includes(target.hostname);
}
