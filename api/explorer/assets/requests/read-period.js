/**
 * @typedef {import('../../../client/client.d.ts').Observation} Observation
 * @typedef {import('../../../client/client.d.ts').ObservationsPage['meta']} Meta
 * @typedef {import('./api-client.js').ApiClient} ApiClient
 * @typedef {import('../state/observation-request.js').ObservationRequest} ObservationRequest
 */

const PAGE = 10_000;

/**
 * Reads all reports of a request, page by page.
 *
 * @param {ApiClient} client
 * @param {ObservationRequest} request
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ records: readonly Observation[], meta: Meta }, void, undefined>}
 */
export async function* readPages(client, request, signal) {
  for (let cursor = undefined, hasMore = true; hasMore; ) {
    const parameters = { ...request, limit: PAGE, cursor };
    const response = await client.send('/v1/history/observations', parameters, signal);
    /** @type {import('../../../client/client.d.ts').ObservationsPage} */
    const { data, meta } = await response.json();
    yield { records: data, meta };
    ({ hasMore, nextCursor: cursor } = meta);
  }
}

/**
 * Reads a value of each column for every day of a request, over all its reports.
 *
 * @param {ApiClient} client
 * @param {ObservationRequest} request
 * @param {readonly string[]} columns such as `mean_temp_c`
 * @param {AbortSignal} signal
 * @returns {Promise<readonly import('../state/daily-series.js').DayRow[]>}
 */
export async function readDays(client, { stations, from, to, type }, columns, signal) {
  const select = columns.map((column) => column.replace('_', '(').concat(')')).join();
  const parameters = { stations, from, to, type, select, by: 'date', sample: 'all' };
  const response = await client.send('/v1/history/statistics', parameters, signal);
  return (await response.json()).data;
}
