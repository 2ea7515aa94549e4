/**
 * @typedef {import('../../../client/client.d.ts').Observation} Observation
 * @typedef {import('../../../client/client.d.ts').ObservationsPage['meta']} Meta
 */

const PAGE = 10_000;

/**
 * Reads all reports of a request, page by page.
 *
 * @param {import('./api-client.js').ApiClient} client
 * @param {import('../state/observation-request.js').ObservationRequest} request
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ records: readonly Observation[], meta: Meta }, void, undefined>}
 */
export async function* readPeriod(client, request, signal) {
  for (let cursor = undefined, hasMore = true; hasMore; ) {
    const parameters = { ...request, limit: PAGE, cursor };
    const response = await client.send('/v1/history/observations', parameters, signal);
    /** @type {import('../../../client/client.d.ts').ObservationsPage} */
    const { data, meta } = await response.json();
    yield { records: data, meta };
    ({ hasMore, nextCursor: cursor } = meta);
  }
}
