import type { ClickHouseClient } from '@clickhouse/client';
import { listStations, readListings } from '../../clickhouse/coverage/station-listings.ts';
import { dayOf } from '../../clickhouse/model/day.ts';
import { fetchWithRetry, type SourceClient } from '../http/fetch-with-retry.ts';
import type { Body, SourceAdapter, StationDirectory } from '../sources/source.ts';

/** Periods spare requests, so they are not worth many. */
const ATTEMPTS = 3;

/**
 * Asks a source which of these stations it carries and since when, and keeps the answer.
 *
 * @returns why the source cannot be asked for anything else yet; `undefined` when it can
 */
export async function fetchStationMetadata(
  client: ClickHouseClient,
  origin: SourceAdapter,
  stations: readonly string[],
  line: SourceClient,
): Promise<string | undefined> {
  if (stations.length === 0) return undefined;
  if (origin.kind === 'local') {
    await listStations(client, stations.map(origin.listing), line.signal);
    return undefined;
  }
  const { stationDirectory, source } = origin;
  if (stationDirectory.kind === 'per station')
    await learnOneByOne(client, stationDirectory, { source, stations }, line);
  if (stationDirectory.kind !== 'all stations') return undefined;
  const answer = await fetchWithRetry(line, stationDirectory.request, stationDirectory.parse);
  if (answer.kind !== 'answered')
    return answer.kind === 'failed' ? answer.reason : 'there is no list of stations';
  const wanted = new Set(stations);
  await listStations(
    client,
    answer.value.filter(({ station }) => wanted.has(station)),
    line.signal,
  );
  return undefined;
}

/** A station of which nothing is told has a period unknown: never an error, since reports are evidence too. */
async function learnOneByOne(
  client: ClickHouseClient,
  directory: Extract<StationDirectory, { kind: 'per station' }>,
  asked: { readonly source: SourceAdapter['source']; readonly stations: readonly string[] },
  line: SourceClient,
): Promise<void> {
  const known = await readListings(client, asked, line.signal);
  // Periods get revised (D13): what was told on an earlier day is asked for again.
  const today = dayOf(Date.now() / 1000);
  const toldToday = known.filter(({ firstDay, listedDay }) => firstDay !== undefined && listedDay === today);
  const withPeriod = new Set(toldToday.map(({ station }) => station));
  for (const station of asked.stations) {
    if (withPeriod.has(station)) continue;
    const read = (body: Body) => directory.parse(body, station);
    const answer = await fetchWithRetry(line, directory.request(station), read, ATTEMPTS);
    if (answer.kind === 'answered') await listStations(client, answer.value, line.signal);
  }
}
