import { ALL_STATIONS, readListings, recordListings } from '../../clickhouse/coverage/station-listings.ts';
import { dayOf } from '../../clickhouse/model/day.ts';
import { recordOutdatedDescriptions } from '../../clickhouse/stations.ts';
import { fetchWithRetry } from '../http/fetch-with-retry.ts';
import { METADATA_ATTEMPTS } from '../http/retry-policy.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import type { Body, StationDirectory } from '../sources/source.ts';

type MetadataContext = Pick<LoadContext, 'client' | 'adapter' | 'sourceClient'>;

/**
 * Fetches which of these stations the source carries and their periods of record, and stores it. The same responses
 * contain names and positions, so these need no separate request.
 *
 * @returns the reason why no report can be requested from the source; `undefined` when reports can be requested
 */
export async function fetchStationMetadata(
  context: MetadataContext,
  stations: readonly string[],
): Promise<string | undefined> {
  const { client, adapter, sourceClient } = context;
  if (stations.length === 0) return undefined;
  if (adapter.kind === 'local') {
    const { signal } = sourceClient;
    await recordListings(client, stations.map(adapter.listing), signal);
    const descriptions = stations.map(adapter.describe);
    await recordOutdatedDescriptions(
      client,
      adapter.source,
      descriptions,
      new Date(),
      signal,
      adapter.descriptionRanks,
    );
    return undefined;
  }
  switch (adapter.stationDirectory.kind) {
    case 'none':
      return undefined;
    case 'per station':
      await fetchPeriods(context, adapter.stationDirectory, stations);
      return undefined;
    case 'all stations':
      return fetchDirectory(context, adapter.stationDirectory, stations);
  }
}

async function fetchDirectory(
  { client, adapter: { source }, sourceClient }: MetadataContext,
  directory: Extract<StationDirectory, { kind: 'all stations' }>,
  stations: readonly string[],
): Promise<string | undefined> {
  const result = await fetchWithRetry(sourceClient, directory.request, directory.parse);
  if (result.kind === 'failed') return result.reason;
  if (result.kind === 'absent') return 'the source has no list of stations';
  const { listings, descriptions } = result.value;
  const wanted = new Set(stations);
  const isWanted = (station: string) => wanted.has(ALL_STATIONS) || wanted.has(station);
  const { signal } = sourceClient;
  await recordListings(
    client,
    listings.filter(({ station }) => isWanted(station)),
    signal,
  );
  await recordOutdatedDescriptions(client, source, descriptions, new Date(), signal, directory.ranks);
  return undefined;
}

/** No period is never an error, because reports are evidence too. Periods are revised (D13), so each day fetches anew. */
async function fetchPeriods(
  { client, adapter: { source }, sourceClient }: MetadataContext,
  directory: Extract<StationDirectory, { kind: 'per station' }>,
  stations: readonly string[],
): Promise<void> {
  const { signal } = sourceClient;
  const listings = await readListings(client, { source, stations }, signal);
  const today = dayOf(Date.now() / 1000);
  const fetchedToday = new Set(
    listings
      .filter(({ firstDay, listedDay }) => firstDay !== undefined && listedDay === today)
      .map(({ station }) => station),
  );
  for (const station of stations) {
    if (fetchedToday.has(station)) continue;
    const parse = (body: Body) => directory.parse(body, station);
    const result = await fetchWithRetry(sourceClient, directory.request(station), parse, METADATA_ATTEMPTS);
    if (result.kind !== 'ok') continue;
    await recordListings(client, result.value.listings, signal);
    await recordOutdatedDescriptions(
      client,
      source,
      result.value.descriptions,
      new Date(),
      signal,
      directory.ranks,
    );
  }
}
