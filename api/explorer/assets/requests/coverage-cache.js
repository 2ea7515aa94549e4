/**
 * Coverage by station, requested once.
 *
 * @param {import('./api-client.js').ApiClient} client
 */
export function createCoverageCache(client) {
  /** @type {Map<string, import('../state/coverage.js').Coverage>} */
  const known = new Map();
  return {
    /**
     * @param {readonly string[]} stations
     * @param {AbortSignal} signal
     */
    async read(stations, signal) {
      const unknown = stations.filter((station) => !known.has(station));
      if (unknown.length > 0) {
        const response = await client.send('/v1/history/coverage', { stations: unknown.join(',') }, signal);
        /** @type {{ data: import('../state/coverage.js').Coverage[] }} */
        const { data } = await response.json();
        for (const coverage of data) known.set(coverage.station, coverage);
      }
      return stations.flatMap((station) => known.get(station) ?? []);
    },
    forget: () => known.clear(),
  };
}
