/** @import * as Client from './client.d.ts' */
import { requestJson } from './request.js';

export { ProblemError, request, TransportError } from './request.js';

/*
 * This is JavaScript, so that Node and browsers can import it as is, without a build step on installation. Its types
 * are in client.d.ts, and the compiler checks this code against them.
 */

/** Records per page: the service's own default would need ten times as many requests, which count against limits. */
const LIMIT = 10_000;

/** @type {typeof Client.observations} */
export const observations = (options) => new PageWalk('v1/history/observations', options);

/** @type {typeof Client.hourly} */
export const hourly = (options) => new PageWalk('v1/history/hourly', options);

/** @type {typeof Client.daily} */
export const daily = (options) => new PageWalk('v1/history/daily', withDates(options));

/** @type {typeof Client.monthly} */
export const monthly = (options) => new PageWalk('v1/history/monthly', withDates(options));

/** @type {typeof Client.normals} */
export const normals = (options) => new PageWalk('v1/history/normals', withDates(options));

/** Replaces a `Date` by its day in UTC, as in `2024-01-31`. @param {Client.DailyOptions} options */
function withDates({ from, to, ...options }) {
  /** @param {string | Date} day */
  const dateOf = (day) => (day instanceof Date ? day.toISOString().slice(0, 10) : day);
  return { ...options, from: dateOf(from), to: dateOf(to) };
}

/** @type {typeof Client.statistics} */
export const statistics = async ({ baseUrl, apiKey, signal, maxRetries, onWait, ...parameters }) => {
  const url = urlOf(baseUrl, 'v1/history/statistics', parameters);
  const answer = await requestJson(url, { apiKey, signal, maxRetries, onWait });
  return /** @type {Client.StatisticsAnswer} */ (answer);
};

/**
 * For each page: sends the request, repeats it after temporary failures, sets the coverage, returns the records, sets the cursor.
 *
 * @template Row
 * @implements {Client.Walk<Row>}
 */
class PageWalk {
  #path;
  #options;

  /** @type {Client.Coverage | undefined} */
  coverage;

  /** @type {string | undefined} */
  cursor;

  /**
   * @param {string} path of the endpoint, below the base URL
   * @param {Client.WalkOptions} options
   */
  constructor(path, options) {
    this.#path = path;
    this.#options = options;
    this.cursor = options.cursor;
  }

  /** @returns {AsyncGenerator<Client.Page<Row>, void, undefined>} */
  async *pages() {
    do {
      const page = /** @type {Client.Page<Row>} */ (await requestJson(this.#pageUrl(), this.#options));
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

/**
 * A URL below the base URL of the service. Omits parameters that are `undefined`; a list becomes comma-separated text.
 *
 * @param {string | URL} baseUrl
 * @param {string} path
 * @param {Readonly<Record<string, string | number | Date | readonly string[] | undefined>>} parameters
 * @returns {URL}
 */
function urlOf(baseUrl, path, parameters) {
  const url = new URL(path, `${baseUrl}`.replace(/\/*$/, '/'));
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined)
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
  return url;
}
