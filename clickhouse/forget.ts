import type { ClickHouseClient } from '@clickhouse/client';
import type { Source } from './report.ts';

const TABLES = ['slices', 'coverage', 'observations', 'stations'] as const;

/**
 * Takes everything a source has brought out of the archive. The ledger goes first: whatever is still there when this
 * is cut short is not claimed any more. The rows are rewritten (`ALTER TABLE … DELETE`) and not deleted lightly,
 * because lightly deleted rows come back through the projection.
 */
export async function forgetSource(
  client: ClickHouseClient,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  for (const table of TABLES)
    await client.command({
      query:
        'ALTER TABLE {table:Identifier} DELETE WHERE source = {source:String} SETTINGS mutations_sync = 2',
      query_params: { table, source },
      abort_signal: signal,
    });
}
