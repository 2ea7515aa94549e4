import type { Archive } from '../../archive.ts';
import type { Source } from '../../model/report.ts';
import { deleteRows } from '../../statements/delete-rows.ts';
import { selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

/**
 * Listings go first: without them nothing of the source counts as covered, so an interrupted deletion does no harm. The
 * view knows of reports until they are gone, so coverage is never `none` while a page still has them.
 */
const TABLES = ['stations', 'station_descriptions', 'slices', 'loads', 'observations', 'coverage'] as const;

const SOURCE_LISTING = readStatement('maintenance/source_listing');

/** Deletes everything of a source from the archive. */
export async function deleteSource(archive: Archive, source: Source, signal: AbortSignal): Promise<void> {
  for (const table of TABLES)
    await deleteRows(archive, table, 'source = {source:String}', { source }, signal);
}

/**
 * Deletes what a writer has just written for a source that was deleted after the writer read it. `deleteSource` begins
 * with the listings and ends with the rows and their coverage, so either it deletes the new rows or this finds no
 * listing.
 */
export async function deleteSourceIfUnlisted(
  client: Archive,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const listings = await selectRows(client, { query: SOURCE_LISTING, params: { source } }, signal);
  if (listings.length === 0) await deleteSource(client, source, signal);
}
