/** @import { HourlyOptions, HourlyRow, Observation, ObservationsOptions, Walk } from './client.d.ts' */
import { walk } from './walk.js';

export { ProblemError, TransportError } from './errors.js';
export { request } from './request.js';
export { statistics } from './statistics.js';

/*
 * This is JavaScript, so that Node and browsers can import it as is, without a build step on installation. Its types
 * are in client.d.ts, and the compiler checks this code against them.
 */

/**
 * @param {ObservationsOptions} options
 * @returns {Walk<Observation>}
 */
export function observations(options) {
  return walk('v1/history/observations', options);
}

/**
 * @param {HourlyOptions} options
 * @returns {Walk<HourlyRow>}
 */
export function hourly(options) {
  return walk('v1/history/hourly', options);
}
