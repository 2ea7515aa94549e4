/** @import { RequestOptions } from './client.d.ts' */
import { ProblemError, TransportError } from './errors.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A longer timer fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Statuses of a service, or of a proxy in front of it, that may serve the same request later. */
const TEMPORARY = [429, 502, 503];

/** How long an outage a request can bridge: seven delays add up to about a minute. */
const MAX_RETRIES = 7;

/**
 * Repeats the request while its failure may be temporary: at the limit of the plan as often as the service asks, else
 * `maxRetries` times in a row, with increasing delays.
 *
 * @template T
 * @param {() => Promise<T>} request
 * @param {Pick<RequestOptions, 'maxRetries' | 'signal' | 'onWait'>} options
 * @returns {Promise<T>}
 */
export async function retry(request, { maxRetries = MAX_RETRIES, signal, onWait }) {
  for (let retries = 0; ; ) {
    try {
      return await request();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const { status, retryAfterSeconds } = error;
      const requestedMs = (retryAfterSeconds ?? 0) * 1000;
      if (status === 429 && retryAfterSeconds !== undefined) {
        onWait?.(retryAfterSeconds);
        await sleep(requestedMs, signal);
        continue;
      }
      if (retries === maxRetries) throw error;
      // Clients that failed together must not return together.
      const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (1 + Math.random() / 4);
      retries += 1;
      await sleep(Math.max(requestedMs, delayMs), signal);
    }
  }
}

/**
 * @param {unknown} error
 * @returns {error is ProblemError | TransportError}
 */
function isTemporary(error) {
  // A 504 from the service itself is not temporary: the same query would take as long again.
  if (error instanceof ProblemError) return TEMPORARY.includes(error.status);
  if (!(error instanceof TransportError)) return false;
  return error.status === undefined || error.status === 504 || TEMPORARY.includes(error.status);
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>} rejects with the reason of the signal as soon as it is aborted
 */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(finish, Math.min(milliseconds, MAX_TIMER_MS));
    signal?.addEventListener('abort', finish);
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
