import type { Archive } from '../../clickhouse/archive.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import { deleteSource, readSharedStations } from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { reconcile } from './reconcile.ts';
import { decodeRevisions } from './write.ts';

/**
 * Deletes everything of a source from the archive. At stations that also have reports of other sources, it first chooses
 * what counts without those of this source; so it can be repeated after an interruption.
 */
export async function removeSource(archive: Archive, source: Source): Promise<void> {
  for (const station of await readSharedStations(archive, source)) {
    const stored = await readStoredReports(archive, { station, ...ARCHIVE_TIMES });
    const others = stored.filter((report) => report.source !== source);
    const { revisions } = reconcile('iem', [], others, { kind: 'final', years: ARCHIVE_TIMES });
    await insertRevisions(archive, decodeRevisions(revisions));
  }
  await deleteSource(archive, source);
}
