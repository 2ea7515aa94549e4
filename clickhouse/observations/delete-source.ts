import type { ClickHouseClient } from '@clickhouse/client';
import type { Source } from '../model/report.ts';

/** Without a listing nothing of a source is claimed, so whatever is still there when this is cut short does no harm. */
const TABLES = ['stations', 'slices', 'coverage', 'observations'] as const;

/**
 * Takes everything a source has brought out of the archive. The rows are rewritten (`ALTER TABLE … DELETE`) and not
 * deleted lightly, because lightly deleted rows come back through the projection.
 */
export async function deleteSource(
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

/**
 * For whoever has written rows of a source that were read before: when the source has been forgotten meanwhile, they
 * are taken out again. Forgetting begins with the listings and ends with the rows, so that either it finds the rows or
 * this finds no listing.
 */
export async function deleteSourceIfUnlisted(
  client: ClickHouseClient,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const listed = await client.query({
    query: 'SELECT 1 FROM stations WHERE source = {source:String} LIMIT 1',
    query_params: { source },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  if ((await listed.json()).length === 0) await deleteSource(client, source, signal);
}
