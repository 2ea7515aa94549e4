import type { ClickHouseClient } from '@clickhouse/client';
import type { SliceRecord } from './ledger.ts';
import { POINT_READ } from './point-read.ts';
import { readQuery } from './query.ts';

const NEIGHBOURS = readQuery('neighbours');

/** Reports a day in the nearest slices that the ledger holds of the same source and station; `undefined` without any. */
export async function readNeighbours(
  client: ClickHouseClient,
  slice: Pick<SliceRecord, 'source' | 'station' | 'firstDay' | 'endDay'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const result = await client.query({
    query: NEIGHBOURS,
    query_params: slice,
    format: 'JSONEachRow',
    clickhouse_settings: { ...POINT_READ, output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  const [found] = await result.json<{ reportsPerDay: number | null; slices: number }>();
  return found === undefined || found.slices === 0 ? undefined : (found.reportsPerDay ?? undefined);
}
