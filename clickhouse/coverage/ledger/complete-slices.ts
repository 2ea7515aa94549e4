import type { Archive } from '../../archive.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { selectRows } from '../../statements/select.ts';
import { readSqlFile } from '../../statements/sql-file.ts';
import type { SliceRecord } from './ledger.ts';

const COMPLETE_SLICES = readSqlFile('coverage/ledger/complete_slices');

/** A slice that is done to its last day, and how many reports it has. */
export type CompleteSlice = Pick<SliceRecord, 'firstDay' | 'endDay' | 'reports'>;

/** Every complete slice in the ledger of a source and station. */
export async function readCompleteSlices(
  client: Archive,
  { source, station }: Pick<SliceRecord, 'source' | 'station'>,
  signal: AbortSignal,
): Promise<readonly CompleteSlice[]> {
  return selectRows<CompleteSlice>(
    client,
    { query: COMPLETE_SLICES, params: { source, station }, settings: POINT_READ },
    signal,
  );
}
