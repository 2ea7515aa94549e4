/** @import { Coverage, Page, Walk, WalkOptions } from './client.d.ts' */
import { requestPage } from './request.js';
import { urlOf } from './url.js';

/** Records per page: the service's own default would need ten times as many requests, which count against limits. */
const LIMIT = 10_000;

/**
 * @template Row
 * @param {string} path of the endpoint, below the base URL
 * @param {WalkOptions} options
 * @returns {Walk<Row>}
 */
export function walk(path, options) {
  return new PageWalk(path, options);
}

/**
 * For each page: request once -> retry temporary failures -> coverage and cursor of the walk -> its records.
 *
 * @template Row
 * @implements {Walk<Row>}
 */
class PageWalk {
  #path;
  #options;

  /** @type {Coverage | undefined} */
  coverage;

  /** @type {string | undefined} */
  cursor;

  /**
   * @param {string} path
   * @param {WalkOptions} options
   */
  constructor(path, options) {
    this.#path = path;
    this.#options = options;
    this.cursor = options.cursor;
  }

  /** @returns {AsyncGenerator<Page<Row>, void, undefined>} */
  async *pages() {
    do {
      /** @type {unknown} */
      const answer = await requestPage(this.#pageUrl(), this.#options);
      const page = /** @type {Page<Row>} */ (answer);
      this.coverage = page.meta.coverage;
      yield page;
      // Only now, so that a caller that stops within the page resumes at its first record.
      this.cursor = page.meta.nextCursor;
    } while (this.cursor !== undefined);
  }

  /** @returns {AsyncGenerator<Row, void, undefined>} */
  async *[Symbol.asyncIterator]() {
    for await (const { data } of this.pages())
      for (const row of data) {
        this.#options.signal?.throwIfAborted();
        yield row;
      }
  }

  #pageUrl() {
    const { baseUrl, apiKey, signal, maxRetries, onWait, limit = LIMIT, ...parameters } = this.#options;
    return urlOf(baseUrl, this.#path, { ...parameters, limit, cursor: this.cursor });
  }
}
