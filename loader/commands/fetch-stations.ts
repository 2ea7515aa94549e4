import type { Archive } from '../../clickhouse/archive.ts';
import { recordStationDescriptions } from '../../clickhouse/stations.ts';
import type { Config } from '../config.ts';
import { createSourceClient, fetchWithRetry } from '../http/fetch-with-retry.ts';
import { retryStorage } from '../pipeline/workers.ts';
import type { Log } from '../progress/display.ts';
import { fetchMessages } from '../progress/load-progress.ts';
import { type KnownSource, SOURCE_ADAPTERS, STATION_LIST_NAMES } from '../sources/registry.ts';
import { plural } from '../wording.ts';

/** One request per source: if one fails, the user runs the command again. */
const ATTEMPTS = 1;

/**
 * Fetches the lists of stations of all sources that publish one, and stores names, countries and positions. Coverage
 * does not change. A list that cannot be fetched causes a warning.
 *
 * @returns lines for the user
 */
export async function fetchStations(
  client: Archive,
  { hosts, userAgent }: Pick<Config, 'hosts' | 'userAgent'>,
  signal: AbortSignal,
  warn: Log,
): Promise<readonly string[]> {
  const events = fetchMessages(warn);
  const fetchList = async (source: KnownSource): Promise<readonly string[]> => {
    const list = SOURCE_ADAPTERS[source](hosts[source]).stationList;
    if (list === undefined) return [];
    const sourceClient = createSourceClient(
      { intervalSeconds: 0, parallel: 1 },
      { userAgent, signal, events },
    );
    const result = await fetchWithRetry(sourceClient, list.request, list.parse, ATTEMPTS);
    if (result.kind !== 'ok') {
      warn(`${source}: no list of stations: ${result.kind === 'failed' ? result.reason : 'not found'}`);
      return [];
    }
    await retryStorage(() => recordStationDescriptions(client, result.value, signal, list.ranks), signal);
    return [`${source}: ${plural(result.value.length, 'station')} described`];
  };
  return (await Promise.all(STATION_LIST_NAMES.map(fetchList))).flat();
}
