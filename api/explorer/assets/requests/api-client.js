/** An error of the interface (RFC 9457), or of the connection. */
export class ApiError extends Error {
  /** @param {{ title: string, detail: string, status?: number }} problem */
  constructor({ title, detail, status = 0 }) {
    super(`${title}: ${detail}`);
    this.name = 'ApiError';
    this.title = title;
    this.detail = detail;
    this.status = status;
  }
}

/** A key may have one request a second: several requests of one view then wait for each other. */
const MAX_WAITS = 20;

/**
 * @typedef {Record<string, string | number | undefined>} Parameters
 * @typedef {{ send(path: string, parameters: Parameters, signal: AbortSignal): Promise<Response> }} ApiClient
 */

/**
 * Sends requests with the key in a header, never in a URL. Waits out 429 as `Retry-After` says.
 *
 * @param {() => string | undefined} keyOf
 * @param {(seconds: number) => void} onWait
 * @returns {ApiClient}
 */
export function createApiClient(keyOf, onWait) {
  return {
    async send(path, parameters, signal) {
      const url = requestUrl('', path, parameters);
      for (let waits = 0; ; waits += 1) {
        const response = await fetchOnce(url, keyOf(), signal);
        if (response.ok) return response;
        if (response.status !== 429 || waits >= MAX_WAITS) throw await problemOf(response);
        const seconds = Number(response.headers.get('Retry-After')) || 1;
        onWait(seconds);
        await pause(seconds * 1000, signal);
      }
    },
  };
}

/**
 * @param {string} origin
 * @param {string} path
 * @param {Parameters} parameters
 */
export function requestUrl(origin, path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value));
  // Commas and colons need no escape in a query (RFC 3986, 3.4), and people read these URLs.
  return `${origin}${path}?${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}

/**
 * @param {string} url
 * @param {string | undefined} key
 * @param {AbortSignal} signal
 */
async function fetchOnce(url, key, signal) {
  try {
    return await fetch(url, { signal, headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ title: 'No response', detail: 'The service cannot be reached.' });
  }
}

/** @param {Response} response */
async function problemOf(response) {
  const { status } = response;
  const problem = await response.json().catch(() => ({}));
  const details = Array.isArray(problem.errors)
    ? problem.errors.map(
        (/** @type {{ parameter: string, detail: string }} */ each) => `${each.parameter}: ${each.detail}`,
      )
    : [];
  return new ApiError({
    status,
    title: problem.title ?? `Status ${status}`,
    detail: [problem.detail ?? 'The response does not say why.', ...details].join(' '),
  });
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
