import type { ClickHouseClient } from '@clickhouse/client';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import type { SliceRecord } from './ledger.ts';

const WHOLE_SLICES = readSqlFile('complete_slices');

/** A slice that was proved whole: how many reports its days hold. */
export type CompleteSlice = Pick<SliceRecord, 'firstDay' | 'endDay' | 'reports'>;

/** Every slice that the ledger holds of a source and station and that is done to its last day. */
export async function readCompleteSlices(
  client: ClickHouseClient,
  { source, station }: Pick<SliceRecord, 'source' | 'station'>,
  signal: AbortSignal,
): Promise<readonly CompleteSlice[]> {
  const result = await client.query({
    query: WHOLE_SLICES,
    query_params: { source, station },
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return result.json<CompleteSlice>();
}
