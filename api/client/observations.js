/** @import { Coverage, Observation, ObservationsOptions, ObservationsPage, Walk } from './client.d.ts' */
import { requestPage } from './request.js';
import { retry } from './retry.js';

export { ProblemError, TransportError } from './errors.js';

/*
 * for each page: request once -> retry while the failure can pass -> coverage and cursor of the walk -> its records.
 *
 * This is JavaScript, so that Node and browsers import it as it is, without a build step in an installation. Its types
 * are in client.d.ts, and the compiler checks this code against them.
 */

/** Below the base URL. */
const PATH = 'v1/history/observations';

/** Outages that a walk outlasts: seven delays add up to about a minute. */
const MAX_RETRIES = 7;

/**
 * @param {ObservationsOptions} options
 * @returns {Walk}
 */
export function observations(options) {
  return new PageWalk(options);
}

/** @implements {Walk} */
class PageWalk {
  #options;

  /** @type {Coverage | undefined} */
  coverage;

  /** @type {string | undefined} */
  cursor;

  /** @param {ObservationsOptions} options */
  constructor(options) {
    this.#options = options;
    this.cursor = options.cursor;
  }

  /** @returns {AsyncGenerator<ObservationsPage, void, undefined>} */
  async *pages() {
    const { apiKey, maxRetries = MAX_RETRIES, signal } = this.#options;
    do {
      const url = pageUrl(this.#options, this.cursor);
      const page = await retry(() => requestPage(url, apiKey, signal), maxRetries, signal);
      this.coverage = page.meta.coverage;
      yield page;
      // Only now: a caller that stops within the page resumes at its first record.
      this.cursor = page.meta.nextCursor;
    } while (this.cursor !== undefined);
  }

  /** @returns {AsyncGenerator<Observation, void, undefined>} */
  async *[Symbol.asyncIterator]() {
    for await (const { data } of this.pages())
      for (const record of data) {
        this.#options.signal?.throwIfAborted();
        yield record;
      }
  }
}

/**
 * @param {ObservationsOptions} options
 * @param {string | undefined} cursor
 * @returns {URL}
 */
function pageUrl({ baseUrl, stations, from, to, type, include, limit }, cursor) {
  const url = new URL(PATH, `${baseUrl}`.replace(/\/*$/, '/'));
  const parameters = {
    stations: stations.join(),
    from: formatTime(from),
    to: formatTime(to),
    type,
    include: include?.join(),
    limit: limit?.toString(),
    cursor,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** @param {string | Date} time */
function formatTime(time) {
  return typeof time === 'string' ? time : time.toISOString();
}
