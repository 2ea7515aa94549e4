import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';

type BrokenProjection = { readonly table: string; readonly projection: string; readonly parts: number };

const BROKEN_PROJECTIONS = readSqlFile('recovery/broken_projections');
const REBUILD_PROJECTION = readSqlFile('recovery/rebuild_projection');

/**
 * Has the projections built again that a power failure broke: ClickHouse does not sync their files. Returns when that is
 * under way; pages are right meanwhile, and slower.
 */
export async function rebuildBrokenProjections(
  archive: Archive,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { table, projection, parts } of await selectRows<BrokenProjection>(
    archive,
    { query: BROKEN_PROJECTIONS },
    signal,
  )) {
    log(`the projection ${projection} is broken in ${parts} parts of ${table}; building it again`);
    const query = fillSql(REBUILD_PROJECTION, { table, projection });
    await archive.command({ query }, signal);
  }
}
