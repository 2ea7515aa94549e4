/** @import { StatisticsAnswer, StatisticsOptions } from './client.d.ts' */
import { requestPage } from './request.js';
import { urlOf } from './url.js';

/**
 * @param {StatisticsOptions} options
 * @returns {Promise<StatisticsAnswer>}
 */
export async function statistics({ baseUrl, apiKey, signal, maxRetries, onWait, ...parameters }) {
  const url = urlOf(baseUrl, 'v1/history/statistics', parameters);
  /** @type {unknown} */
  const answer = await requestPage(url, { apiKey, signal, maxRetries, onWait });
  return /** @type {StatisticsAnswer} */ (answer);
}
