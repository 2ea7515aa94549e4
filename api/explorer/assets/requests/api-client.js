import { request } from '/assets/client/observations.js';

/**
 * @typedef {Record<string, string | number | undefined>} Parameters
 * @typedef {{ send(path: string, parameters: Parameters, signal: AbortSignal): Promise<Response> }} ApiClient
 */

/**
 * Sends requests with the key in a header, never in a URL.
 *
 * @param {() => string | undefined} keyOf
 * @param {(seconds: number) => void} onWait before each wait for the limit of the plan
 * @returns {ApiClient}
 */
export function createApiClient(keyOf, onWait) {
  return {
    send: (path, parameters, signal) =>
      request(new URL(requestUrl(location.origin, path, parameters)), {
        apiKey: keyOf() ?? '',
        accept: '*/*',
        // Nothing stays in the browser once the key is forgotten. And with the entity tag of another key, `meta.rateLimit`
        // would be that of the other key.
        cache: 'no-store',
        maxRetries: 0,
        signal,
        onWait,
      }),
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
