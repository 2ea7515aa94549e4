import type { ClickHouseClient } from '@clickhouse/client';
import type { Day } from '../model/day.ts';
import { SOURCES, type Source } from '../model/report.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';

/** Stands for the slices over all stations, where a station is named otherwise. */
export const ALL_STATIONS = '*';

/** That a source carries a station, and over which days; without days its period of record is unknown. */
export type Listing = {
  readonly source: Source;
  readonly station: string;
  readonly firstDay?: Day;
  /** Absent while the station still reports. */
  readonly lastDay?: Day;
  /** When the source said so: what it says of later days is not known yet. */
  readonly listedDay?: Day;
};

const LISTINGS = readSqlFile('station_listings');
const EVERY_LISTING = readSqlFile('all_station_listings');

type Row = { source: Source; station: string; firstDay: Day | null; lastDay: Day | null; listedDay: Day };

/** Remembers listings. One without a period adds a station by evidence and never hides a period that is known. */
export async function listStations(
  client: ClickHouseClient,
  listings: readonly Listing[],
  signal: AbortSignal,
): Promise<void> {
  for (const source of new Set(listings.map((listing) => listing.source))) {
    const group = listings.filter((listing) => listing.source === source);
    const byEvidence = group.filter(({ firstDay }) => firstDay === undefined).map(({ station }) => station);
    const listed = await readListings(client, { source, stations: byEvidence }, signal);
    const known = new Set(listed.map(({ station }) => station));
    const values = group.filter(({ station, firstDay }) => firstDay !== undefined || !known.has(station));
    if (values.length > 0)
      await client.insert({ table: 'stations', values, format: 'JSONEachRow', abort_signal: signal });
  }
}

/** Which of these stations which source carries; of all sources unless one is named. */
export async function readListings(
  client: ClickHouseClient,
  asked: { readonly stations: readonly string[]; readonly source?: Source },
  signal: AbortSignal,
): Promise<readonly Listing[]> {
  if (asked.stations.length === 0) return [];
  const result = await client.query({
    query: LISTINGS,
    query_params: {
      stations: asked.stations,
      sources: asked.source === undefined ? SOURCES : [asked.source],
    },
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return (await result.json<Row>()).map(listingOf);
}

/** All that is known of every station, in the order of their codes. */
export async function readAllListings(
  client: ClickHouseClient,
  signal: AbortSignal,
): Promise<readonly Listing[]> {
  const result = await client.query({ query: EVERY_LISTING, format: 'JSONEachRow', abort_signal: signal });
  return (await result.json<Row>()).map(listingOf);
}

function listingOf({ source, station, firstDay, lastDay, listedDay }: Row): Listing {
  return {
    source,
    station,
    ...(firstDay === null ? {} : { firstDay }),
    ...(lastDay === null ? {} : { lastDay }),
    listedDay,
  };
}
