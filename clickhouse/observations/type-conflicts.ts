import type { ClickHouseClient } from '@clickhouse/client';
import { ALL_STATIONS } from '../coverage/station-listings.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import type { StationWindow } from './stored-reports.ts';

const CROWDED = readSqlFile('candidate_conflicts');
const DOUBLES = readSqlFile('type_conflicts');

/**
 * The stations that hold a report under both types in a stretch of time. There are none, unless loaders met; so first it is
 * asked where there may be some, for half the price.
 */
export async function findTypeConflicts(
  client: ClickHouseClient,
  stretch: StationWindow,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const some = stretch.station === ALL_STATIONS ? 'true' : 'station = {station:String}';
  const stationsOf = async (query: string) => {
    const result = await client.query({
      query: query.replace('$station', some),
      query_params: stretch,
      format: 'JSONEachRow',
      clickhouse_settings: POINT_READ,
      abort_signal: signal,
    });
    return (await result.json<{ station: string }>()).map(({ station }) => station);
  };
  const crowded = await stationsOf(CROWDED);
  return crowded.length === 0 ? [] : stationsOf(DOUBLES);
}
