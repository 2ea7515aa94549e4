/** @import * as Client from './client.d.ts' */

/** Longer than the service's time limits for a request: five seconds of waiting plus the limit of its query. */
const REQUEST_TIMEOUT_MS = 120_000;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A longer timer fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Statuses of a service, or of a proxy in front of it, that may serve the same request later. */
const TEMPORARY = [429, 502, 503];

/** How long an outage a request can bridge: seven delays add up to about a minute. */
const MAX_RETRIES = 7;

/** @type {typeof Client.request} */
export const request = (url, options) =>
  retry(() => sendOnce(url, options, async (response) => response), options);

/**
 * @param {URL} url
 * @param {Client.RequestOptions} options
 * @returns {Promise<unknown>} the body, only once it is complete
 */
export function requestJson(url, options) {
  return retry(() => sendOnce(url, options, readJson), options);
}

/**
 * Repeats the request while its failure may be temporary: at the limit of the plan as often as the service asks, else
 * `maxRetries` times in a row, with increasing delays.
 *
 * @template T
 * @param {() => Promise<T>} request
 * @param {Pick<Client.RequestOptions, 'maxRetries' | 'signal' | 'onWait'>} options
 * @returns {Promise<T>}
 */
async function retry(request, { maxRetries = MAX_RETRIES, signal, onWait }) {
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

/**
 * @template T
 * @param {URL} url
 * @param {Client.RequestOptions} options
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
  let isUnread = false;
  try {
    const headers = { Accept: accept, ...(apiKey !== '' && { Authorization: `Bearer ${apiKey}` }) };
    // Node's fetch has no cache, so its type lacks the member.
    const init = { headers, cache, signal: controller.signal };
    const response = await fetch(url, init);
    if (response.status !== 200) {
      const problem = await readJson(response, 'application/problem+json');
      throw new ProblemError(/** @type {Client.Problem} */ (problem), url, retryAfterOf(response));
    }
    const result = await read(response);
    isUnread = result === response;
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProblemError || error instanceof TransportError) throw error;
    // Node gives the reason in the cause; a browser does not give it.
    const reason = controller.signal.aborted
      ? `no complete response within ${REQUEST_TIMEOUT_MS / 1000} s`
      : /** @type {Error} */ (error).cause;
    const why = reason === undefined ? '' : `: ${reason}`;
    throw new TransportError(`${url.origin} is not reachable${why}`, { cause: error });
  } finally {
    clearTimeout(timer);
    // The signal also aborts a response body that is still to be read.
    if (!isUnread) signal?.removeEventListener('abort', abort);
  }
}

/**
 * @param {Response} response
 * @param {string} mediaType the end of the media type that the service sends
 * @throws {TransportError} unless the response is JSON of this type
 */
async function readJson(response, mediaType = 'json') {
  const { status, headers } = response;
  const type = headers.get('Content-Type')?.split(';')[0]?.trim();
  const body = type?.endsWith(mediaType) ? parseJson(await response.text()) : undefined;
  if (body !== undefined) return body;
  const message = `The response is not one of this service: status ${status}, ${type ?? 'no media type'}`;
  throw new TransportError(message, { status, retryAfterSeconds: retryAfterOf(response) });
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
 * @param {Response} response
 */
function retryAfterOf({ headers }) {
  const value = headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The service refused the request, and says why (RFC 9457). */
export class ProblemError extends Error {
  /** @override */
  name = 'ProblemError';

  /**
   * @param {Client.Problem} problem
   * @param {URL} url of the request
   * @param {number | undefined} retryAfterSeconds
   */
  constructor(problem, url, retryAfterSeconds) {
    const { status, code, detail, errors = [] } = problem;
    const lines = errors.map(({ parameter, detail: reason }) => `${parameter}: ${reason}`);
    super([`${status} ${code}: ${detail}`, ...lines].join('\n'));
    this.type = new URL(problem.type, url).href;
    this.title = problem.title;
    this.status = status;
    this.detail = detail;
    this.code = code;
    this.requestId = problem.requestId;
    /** @type {NonNullable<Client.Problem['errors']>} */
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No response from the service: the connection failed, or something between client and service responded. */
export class TransportError extends Error {
  /** @override */
  name = 'TransportError';

  /**
   * @param {string} message
   * @param {{ status?: number, retryAfterSeconds?: number | undefined, cause?: unknown }} [about]
   */
  constructor(message, { status, retryAfterSeconds, cause } = {}) {
    super(message, { cause });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
