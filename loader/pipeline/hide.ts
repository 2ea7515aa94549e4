import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import { toCalendarYears, toNominalHours } from '../../clickhouse/model/time-window.ts';
import { isOneOf, type ReportId, recordHidden } from '../../clickhouse/observations/hidden-reports.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { chooseAgain, chooseOnce } from './reclassify.ts';
import { spanOf } from './write.ts';
import { Writer } from './writer.ts';

export async function findReport(archive: Archive, id: ReportId): Promise<Position | undefined> {
  const { station, observedAt } = id;
  const stored = await readStoredReports(archive, { station, from: observedAt, to: observedAt + 1 });
  return stored.find((report) => isOneOf([id], report));
}

/**
 * Hides reports of the archive, or shows them again: then another report of the minute or the hour counts in their place, or they
 * do. After an interruption the next loader finds hidden reports that count, and chooses again.
 */
export async function hideReports(
  archive: Archive,
  reports: readonly Position[],
  note: { readonly isHidden: boolean; readonly reason: string },
): Promise<void> {
  const writer = new Writer(archive, newRun());
  const byYear = groupBy(reports, (report) => `${report.station} ${toCalendarYears(spanOf([report])).from}`);
  for (const some of byYear.values()) {
    const [{ station }] = some as [Position, ...Position[]];
    const years = { station, ...toCalendarYears(spanOf(some)) };
    const range = { stations: [station], ...toNominalHours(years) };
    await writer.write(range, async () => {
      // Reports that are shown again count before they are noted: it would not find those that do not count.
      const others = writer.hidden.filter((report) => !isOneOf(some, report));
      if (!note.isHidden) await chooseOnce({ archive, writer }, years, others);
      await recordHidden(archive, some, note);
      // It reads the list again.
      await writer.complete(range);
      await chooseAgain({ archive, writer }, years);
    });
  }
  await writer.close();
}
