import { recordStationDescriptions } from '../../clickhouse/stations.ts';
import { createSourceClient, fetchWithRetry } from '../http/fetch-with-retry.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { type KnownSource, SOURCE_ADAPTERS, STATION_LIST_NAMES } from '../sources/registry.ts';
import { fetchMessages, plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareFetchStations({ add, accept }: LoaderProgram): void {
  const lists = new Intl.ListFormat('en-US').format(STATION_LIST_NAMES);
  add('fetch-stations', `fetches names, countries and positions of stations from ${lists}`).action(() =>
    accept({ kind: 'fetch-stations' }, fetchStations),
  );
}

/**
 * Fetches the lists of stations of all sources that publish one, and stores names, countries and positions. Coverage
 * does not change.
 *
 * @returns whether every source has sent its list; the others are named
 */
async function fetchStations({ archive, config, stop, output }: CommandContext): Promise<boolean> {
  const { hosts, userAgent } = config;
  const { print, log } = output;
  const signal = stop.now;
  const options = { userAgent, signal, events: fetchMessages(log) };
  const fetchList = async (source: KnownSource) => {
    const { descriptionList: list, descriptionRanks: ranks } = SOURCE_ADAPTERS[source](hosts[source]);
    if (list === undefined || ranks === undefined) return true;
    const sourceClient = createSourceClient({ intervalSeconds: 0, parallel: 1 }, options);
    // One request: if it fails, the user runs the command again.
    const result = await fetchWithRetry(sourceClient, list.request, list.parse, 1);
    if (result.kind !== 'ok') {
      log(`${source}: no list of stations: ${result.kind === 'failed' ? result.reason : 'not found'}`);
      return false;
    }
    const { descriptions } = result.value;
    await retryStorage(() => recordStationDescriptions(archive, descriptions, ranks), signal);
    print(`${source}: ${plural(descriptions.length, 'station')} described`);
    return true;
  };
  return (await Promise.all(STATION_LIST_NAMES.map(fetchList))).every((isFetched) => isFetched);
}
