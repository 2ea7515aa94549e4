import type { Archive } from '../../archive.ts';
import type { Source } from '../../model/report.ts';
import { selectRows } from '../../statements/select.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';

/**
 * The listings come first: without them nothing of the source counts as covered, so an interrupted deletion does no
 * harm.
 */
const TABLES = ['stations', 'station_descriptions', 'slices', 'coverage', 'observations'] as const;

const DELETE_SOURCE = readSqlFile('maintenance/delete_source');
const SOURCE_LISTING = readSqlFile('maintenance/source_listing');

/** Deletes everything of a source from the archive. */
export async function deleteSource(client: Archive, source: Source, signal: AbortSignal): Promise<void> {
  for (const table of TABLES)
    await client.command({ query: fillSql(DELETE_SOURCE, { table }), params: { source } }, signal);
}

/**
 * Deletes what a writer has just written of a source that was deleted after the writer had read it. `deleteSource`
 * begins with the listings and ends with the rows, so either it deletes the new rows or this finds no listing.
 */
export async function deleteSourceIfUnlisted(
  client: Archive,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const listings = await selectRows(client, { query: SOURCE_LISTING, params: { source } }, signal);
  if (listings.length === 0) await deleteSource(client, source, signal);
}
