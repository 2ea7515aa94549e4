import type { ClickHouseClient } from '@clickhouse/client';
import type { Source } from '../model/report.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import type { CoverageYear } from './rules.ts';
import { type Listing, readListings } from './station-listings.ts';

/** All that coverage is judged by, of one station and all its years. */
export type CoverageState = { readonly held: readonly CoverageYear[]; readonly listings: readonly Listing[] };

/**
 * @param stations ICAO codes; `*` stands for the slices over all stations
 * @returns an entry for each of them
 */
export type CoverageStateReader = (
  stations: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, CoverageState>>;

const HELD = readSqlFile('coverage_of_stations');

/** Reads it from the coverage view and from the listings, by two statements at once. */
export function coverageStateReader(client: ClickHouseClient): CoverageStateReader {
  return async (stations, signal) => {
    const [held, listings] = await Promise.all([
      readHeld(client, stations, signal),
      readListings(client, { stations }, signal),
    ]);
    const known = new Map(
      stations.map((station) => [station, { held: [] as CoverageYear[], listings: [] as Listing[] }]),
    );
    for (const { station, year } of held) known.get(station)?.held.push(year);
    for (const listing of listings) known.get(listing.station)?.listings.push(listing);
    return known;
  };
}

/** The columns of coverage_of_stations.sql. A thousand stations have twenty thousand rows: their names would be most of the text. */
type Row = [
  station: string,
  source: Source,
  year: number,
  first: number,
  last: number,
  days: number[],
  firstReport: number | null,
  lastReport: number | null,
];

const NO_DAYS: readonly number[] = [];

async function readHeld(
  client: ClickHouseClient,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<readonly { readonly station: string; readonly year: CoverageYear }[]> {
  const result = await client.query({
    query: HELD,
    query_params: { stations },
    format: 'JSONCompactEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return rowsOf(await result.text()).map(
    ([station, source, year, first, last, named, firstReport, lastReport]) => {
      // Kept for as long as they are true: most years have no days of their own.
      const days = named.length === 0 ? NO_DAYS : named;
      return { station, year: { source, year, first, last, days, firstReport, lastReport } };
    },
  );
}

/** Read as one array, which takes half as long as line by line. */
function rowsOf(text: string): Row[] {
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}
