/** @import { ObservationsPage, Problem, RequestOptions } from './client.d.ts' */
import { ProblemError, TransportError } from './errors.js';
import { retry } from './retry.js';

/** Longer than the service's time limits for a request: five seconds of waiting plus the limit of its query. */
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<Response>}
 */
export function request(url, options) {
  return retry(() => sendOnce(url, options, async (response) => response), options);
}

/**
 * @param {URL} url
 * @param {RequestOptions} options
 * @returns {Promise<ObservationsPage>} only once it is complete
 */
export function requestPage(url, options) {
  return retry(() => sendOnce(url, options, (response) => readPage(response)), options);
}

/**
 * @template T
 * @param {URL} url
 * @param {RequestOptions} options
 * @param {(response: Response) => Promise<T>} read of a response with status 200, within the time limit
 * @returns {Promise<T>}
 * @throws {ProblemError | TransportError} and the reason of the signal once it is aborted
 */
async function sendOnce(url, { apiKey, signal, accept = 'application/json', cache = 'default' }, read) {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, REQUEST_TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  let isWhole = false;
  try {
    const headers = { Accept: accept, ...(apiKey !== '' && { Authorization: `Bearer ${apiKey}` }) };
    // Node's fetch has no cache, so its type lacks the member.
    const init = { headers, cache, signal: controller.signal };
    const response = await fetch(url, init);
    if (response.status !== 200) throw await errorOf(url, response);
    const result = await read(response);
    isWhole = result !== response;
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProblemError || error instanceof TransportError) throw error;
    const reason = controller.signal.aborted
      ? `no complete response within ${REQUEST_TIMEOUT_MS / 1000} s`
      : String(error);
    throw new TransportError(`${url.origin} is not reachable: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
    // The signal also aborts a response body that is still to be read.
    if (isWhole) signal?.removeEventListener('abort', abort);
  }
}

/** @param {Response} response */
function mediaTypeOf({ headers }) {
  return headers.get('Content-Type')?.split(';')[0]?.trim();
}

/**
 * @param {Response} response
 * @returns {Promise<ObservationsPage>}
 */
async function readPage(response) {
  const body = mediaTypeOf(response)?.endsWith('json') ? parseJson(await response.text()) : undefined;
  if (body === undefined) throw notOfService(response);
  return /** @type {ObservationsPage} */ (body);
}

/**
 * @param {URL} url
 * @param {Response} response
 */
async function errorOf(url, response) {
  const isProblem = mediaTypeOf(response) === 'application/problem+json';
  const body = isProblem ? parseJson(await response.text()) : undefined;
  if (body === undefined) return notOfService(response);
  return new ProblemError(
    /** @type {Problem} */ (body),
    url,
    parseRetryAfter(response.headers.get('Retry-After')),
  );
}

/** @param {Response} response */
function notOfService(response) {
  const { status, headers } = response;
  return new TransportError(
    `The response is not one of this service: status ${status}, ${mediaTypeOf(response) ?? 'no media type'}`,
    { status, retryAfterSeconds: parseRetryAfter(headers.get('Retry-After')) },
  );
}

/**
 * @param {string} text
 * @returns {unknown} `undefined` if the text is not JSON
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
function parseRetryAfter(value) {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
