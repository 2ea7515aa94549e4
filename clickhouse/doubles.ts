import type { ClickHouseClient } from '@clickhouse/client';
import type { Stretch } from './archived.ts';
import { readQuery } from './query.ts';
import { EVERY_STATION } from './stations.ts';

const DOUBLES = readQuery('doubles');

/** The stations that hold a report under both types in a stretch of time. There are none, unless loaders met. */
export async function readDoubles(
  client: ClickHouseClient,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const result = await client.query({
    query: DOUBLES.replace(
      '$station',
      stretch.station === EVERY_STATION ? 'true' : 'station = {station:String}',
    ),
    query_params: stretch,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return (await result.json<{ station: string }>()).map(({ station }) => station);
}
