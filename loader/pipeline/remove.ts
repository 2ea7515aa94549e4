import type { Archive } from '../../clickhouse/archive.ts';
import { removeClaims, removeReportHours } from '../../clickhouse/coverage/ledger/claims.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import {
  ARCHIVE_TIMES,
  type Scope,
  toCalendarYears,
  windowOfDays,
} from '../../clickhouse/model/time-window.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import {
  deleteReports,
  deleteSource,
  deleteStations,
  holdsRows,
  readMonthsWithReports,
  readSharedStations,
} from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { removalRun } from '../../clickhouse/observations/writers.ts';
import { reclassifyStation } from './reclassify.ts';
import { chooseAmong } from './reconcile.ts';
import { spanOf } from './write.ts';
import { Writer } from './writer.ts';

/** A loader that began meanwhile can copy rows from one table of reports to the other. */
const DELETIONS = 3;

/**
 * Removes the reports of stations on some days, and what the archive says of these days: they are open afterwards.
 *
 * First no day counts as done, then the reports go, then the hours that coverage knows of, so coverage is never `none` while
 * a page still has reports. After an interruption days are open, and none is done without its reports: repeat it.
 *
 * @param isWhole also remove what sources state of the stations, and every record of them
 */
export async function removeStations(archive: Archive, scope: Scope, isWhole: boolean): Promise<void> {
  const { stations } = scope;
  const window = windowOfDays(scope);
  await removeClaims(archive, scope);
  if (isWhole) await deleteStations(archive, ['stations', 'station_descriptions'], stations);
  const writer = new Writer(archive, removalRun());
  await writer.write({ stations, ...window }, async () => {
    const marked = writer.marks.begin();
    await marked.open(await readMonthsWithReports(archive, { stations, ...window }));
    for (let deletions = 0; deletions < DELETIONS; deletions += 1) {
      await deleteReports(archive, { stations, ...window });
      if (!(await holdsRows(archive, { stations, ...window }))) break;
    }
    marked.end();
  });
  if (isWhole) await deleteStations(archive, ['slices', 'coverage'], stations);
  else {
    // A loader that had read the reports before may have recorded their days meanwhile.
    await removeClaims(archive, scope);
    await removeReportHours(archive, scope);
    // The reports of an hour at the edge, and the types of a year, are chosen among those that are left.
    const years = toCalendarYears(window);
    for (const station of stations) await reclassifyStation({ archive, writer }, { station, ...years });
  }
  await writer.close();
}

/**
 * Deletes everything of a source from the archive. At stations that also have reports of other sources, it first chooses
 * what counts without those of this source; so it can be repeated after an interruption.
 */
export async function removeSource(archive: Archive, source: Source): Promise<void> {
  const writer = new Writer(archive, removalRun());
  const months = await readMonthsWithReports(archive, { stations: [], ...ARCHIVE_TIMES }, source);
  const window = spanOf(months);
  await writer.write({ stations: [], ...window }, async () => {
    const marked = writer.marks.begin();
    await marked.open(months);
    for (const station of await readSharedStations(archive, source)) {
      const stored = await readStoredReports(archive, { station, ...ARCHIVE_TIMES });
      const others = stored.filter((report) => report.source !== source);
      const revisions = chooseAmong(others, ARCHIVE_TIMES, writer.hidden);
      await insertRevisions(archive, revisions, writer.marks);
    }
    await deleteSource(archive, source);
    marked.end();
  });
  await writer.close();
}
