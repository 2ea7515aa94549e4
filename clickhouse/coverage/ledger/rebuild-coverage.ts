import type { Archive } from '../../archive.ts';
import { deleteRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

const DONE_DAYS = readStatement('ledger/rebuild_done_days');
const REPORT_HOURS = readStatement('ledger/rebuild_report_hours');

/**
 * Rebuilds the coverage view of a calendar year from the ledger and the reports, for a start that finds rows of
 * `coverage` lost. Until it resolves, the view claims less than the archive holds, never more; repeat it after an
 * interruption. No loader may write meanwhile.
 */
export async function rebuildCoverage(archive: Archive, year: number, signal: AbortSignal): Promise<void> {
  await removeClaims(archive, year, signal);
  await claimAgain(archive, year, signal);
}

/** After this no day of the year is done. */
export async function removeClaims(archive: Archive, year: number, signal: AbortSignal): Promise<void> {
  await deleteRows(archive, 'coverage', 'year = {year:UInt16}', { year }, signal);
}

/** Reports first: days are done only once the view knows their reports. */
export async function claimAgain(archive: Archive, year: number, signal: AbortSignal): Promise<void> {
  await rebuildReportHours(archive, year, signal);
  await archive.command({ query: DONE_DAYS, params: boundsOf(year) }, signal);
}

/**
 * Adds the hours of all reports of a calendar year to the coverage view, and the stations with only NIL reports.
 *
 * @param reports `'NIL'` if the view has counted the hours: only the stations are added
 */
export async function rebuildReportHours(
  archive: Archive,
  year: number,
  signal: AbortSignal,
  reports: 'all' | 'NIL' = 'all',
): Promise<void> {
  const params = { ...boundsOf(year), nilOnly: reports === 'NIL' };
  await archive.command({ query: REPORT_HOURS, params }, signal);
}

function boundsOf(year: number) {
  return { from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
}
