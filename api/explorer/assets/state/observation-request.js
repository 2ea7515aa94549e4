/**
 * @typedef {{ stations: string, from: string, to: string, type: string, include: string }} ObservationRequest
 */

/**
 * The request for the reports that a view shows.
 *
 * @param {Pick<import('./url-state.js').State, 'station' | 'from' | 'to' | 'type'>} state
 * @returns {ObservationRequest}
 */
export function observationRequest({ station, from, to, type }) {
  return {
    stations: station,
    from: `${from}T00:00:00Z`,
    to: `${to}T00:00:00Z`,
    type,
    include: 'raw,decoded',
  };
}
