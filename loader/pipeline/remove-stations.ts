import type { Archive } from '../../clickhouse/archive.ts';
import { removeClaims, removeReportHours } from '../../clickhouse/coverage/ledger/remove-claims.ts';
import { type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import {
  deleteListings,
  deleteRecords,
  deleteReports,
  holdsRows,
} from '../../clickhouse/observations/maintenance.ts';
import { removalRun } from '../../clickhouse/observations/writers.ts';
import { reclassifyStation } from './reclassify.ts';
import { toCalendarYears } from './write.ts';
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
  if (isWhole) await deleteListings(archive, stations);
  const writer = new Writer(archive, removalRun());
  await writer.write(window, async () => {
    for (let deletions = 0; deletions < DELETIONS; deletions += 1) {
      await deleteReports(archive, { stations, ...window });
      if (!(await holdsRows(archive, { stations, ...window }))) return;
    }
  });
  if (isWhole) await deleteRecords(archive, stations);
  else {
    // A loader that had read the reports before may have recorded their days meanwhile.
    await removeClaims(archive, scope);
    await removeReportHours(archive, scope);
    // The reports of an hour at the edge, and the types of a year, are chosen among those that are left.
    const years = toCalendarYears(window);
    await writer.write(years, async () => {
      for (const station of stations) await reclassifyStation(archive, { station, ...years });
    });
  }
  await writer.close();
}
