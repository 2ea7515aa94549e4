/** @import { Coverage, Observation, ObservationsOptions, ObservationsPage, Walk } from './client.d.ts' */
import { requestPage } from './request.js';
import { urlOf } from './url.js';

export { ProblemError, TransportError } from './errors.js';
export { request } from './request.js';
export { statistics } from './statistics.js';

/*
 * for each page: request once -> retry while the failure can pass -> coverage and cursor of the walk -> its records.
 *
 * This is JavaScript, so that Node and browsers import it as it is, without a build step in an installation. Its types
 * are in client.d.ts, and the compiler checks this code against them.
 */

/** Records a page: a tenth of the requests of the service's own default, which many walks count against their limit. */
const LIMIT = 10_000;

/** Below the base URL. */
const PATH = 'v1/history/observations';

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
    do {
      const page = await requestPage(pageUrl(this.#options, this.cursor), this.#options);
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
function pageUrl({ baseUrl, apiKey, signal, maxRetries, onWait, limit = LIMIT, ...parameters }, cursor) {
  return urlOf(baseUrl, PATH, { ...parameters, limit, cursor });
}
