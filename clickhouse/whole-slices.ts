import type { ClickHouseClient } from '@clickhouse/client';
import type { SliceRecord } from './ledger.ts';
import { POINT_READ } from './point-read.ts';
import { readQuery } from './query.ts';

const WHOLE_SLICES = readQuery('whole_slices');

/** A slice that was proved whole: how many reports its days hold. */
export type WholeSlice = Pick<SliceRecord, 'firstDay' | 'endDay' | 'reports'>;

/** Every slice that the ledger holds of a source and station and that is done to its last day. */
export async function readWholeSlices(
  client: ClickHouseClient,
  { source, station }: Pick<SliceRecord, 'source' | 'station'>,
  signal: AbortSignal,
): Promise<readonly WholeSlice[]> {
  const result = await client.query({
    query: WHOLE_SLICES,
    query_params: { source, station },
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return result.json<WholeSlice>();
}
