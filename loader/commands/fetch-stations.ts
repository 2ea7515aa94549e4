import type { Archive } from '../../clickhouse/archive.ts';
import { recordStationDescriptions } from '../../clickhouse/stations/station-descriptions.ts';
import type { Config } from '../config.ts';
import { createSourceClient, fetchWithRetry } from '../http/fetch-with-retry.ts';
import { retryStorage } from '../pipeline/workers/retry-storage.ts';
import type { Log } from '../progress/console.ts';
import { fetchMessages } from '../progress/fetch-messages.ts';
import { STATION_LIST_NAMES, STATION_LISTS, type StationListName } from '../sources/station-lists.ts';

/** One request a source: the user runs the command again where a source fails. */
const ATTEMPTS = 1;

/**
 * Fetches the lists of stations of all sources that publish one, and stores names, countries and positions. Coverage does
 * not change by it. A list that cannot be fetched is a warning.
 *
 * @returns lines for the user
 */
export async function fetchStations(
  client: Archive,
  { hosts, userAgent }: Pick<Config, 'hosts' | 'userAgent'>,
  signal: AbortSignal,
  warn: Log,
): Promise<readonly string[]> {
  const events = { started: () => {}, received: () => {}, ...fetchMessages(warn) };
  const fetchList = async (source: StationListName): Promise<readonly string[]> => {
    const { request, parse } = STATION_LISTS[source](hosts[source]);
    const sourceClient = createSourceClient(
      { intervalSeconds: 0, parallel: 1 },
      { userAgent, signal, events },
    );
    const result = await fetchWithRetry(sourceClient, request, parse, ATTEMPTS);
    if (result.kind !== 'ok') {
      warn(`${source}: no list of stations: ${result.kind === 'failed' ? result.reason : 'not found'}`);
      return [];
    }
    await retryStorage(() => recordStationDescriptions(client, result.value, signal), signal);
    const count = result.value.length;
    return [`${source}: ${count} ${count === 1 ? 'station' : 'stations'} described`];
  };
  return (await Promise.all(STATION_LIST_NAMES.map(fetchList))).flat();
}
