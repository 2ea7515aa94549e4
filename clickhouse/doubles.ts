import type { ClickHouseClient } from '@clickhouse/client';
import type { Stretch } from './archived.ts';
import { POINT_READ } from './point-read.ts';
import { readQuery } from './query.ts';
import { EVERY_STATION } from './stations.ts';

const CROWDED = readQuery('crowded');
const DOUBLES = readQuery('doubles');

/**
 * The stations that hold a report under both types in a stretch of time. There are none, unless loaders met; so first it is
 * asked where there may be some, for half the price.
 */
export async function readDoubles(
  client: ClickHouseClient,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const some = stretch.station === EVERY_STATION ? 'true' : 'station = {station:String}';
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
