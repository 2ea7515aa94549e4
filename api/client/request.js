/** @import { ObservationsPage, Problem } from './client.d.ts' */
import { ProblemError, TransportError } from './errors.js';

/** Longer than the time limits of the service for a request: five seconds of waiting and those of its query. */
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * @param {URL} url
 * @param {string} apiKey
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<ObservationsPage>}
 * @throws {ProblemError | TransportError} and the reason of the signal once it is aborted
 */
export async function requestPage(url, apiKey, signal) {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, REQUEST_TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  try {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${apiKey}` };
    const response = await fetch(url, { headers, signal: controller.signal });
    return readPage(url, response, await response.text());
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProblemError || error instanceof TransportError) throw error;
    const reason = controller.signal.aborted
      ? `no complete response within ${REQUEST_TIMEOUT_MS / 1000} s`
      : String(error);
    throw new TransportError(`${url.origin} is not reachable: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * @param {URL} url
 * @param {Response} response
 * @param {string} text
 * @returns {ObservationsPage}
 */
function readPage(url, { status, headers }, text) {
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim();
  const retryAfterSeconds = parseRetryAfter(headers.get('Retry-After'));
  const body = mediaType?.endsWith('json') ? parseJson(text) : undefined;
  if (status === 200 && body !== undefined) return /** @type {ObservationsPage} */ (body);
  if (mediaType === 'application/problem+json' && body !== undefined)
    throw new ProblemError(/** @type {Problem} */ (body), url, retryAfterSeconds);
  const message = `The response is not one of this service: status ${status}, ${mediaType ?? 'no media type'}`;
  throw new TransportError(message, { status, retryAfterSeconds });
}

/**
 * @param {string} text
 * @returns {unknown} `undefined` where the text is not JSON
 */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Seconds, or a date (RFC 9110, 10.2.3): the service sends seconds, a proxy may send a date.
 *
 * @param {string | null} value
 * @returns {number | undefined}
 */
export function parseRetryAfter(value) {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
