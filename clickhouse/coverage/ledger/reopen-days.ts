import type { Archive } from '../../archive.ts';
import { type DayRange, yearsOf } from '../../model/day.ts';
import { deleteRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';
import { findLostSlices, SLICE_KEY, sliceKey } from './lost-reports.ts';
import { type DoneSlice, type RecordedSlice, readSliceHistory } from './read-slices.ts';

/** Number of slices that one statement forgets. */
const SLICES_PER_DELETE = 500;

/**
 * Reopens days after parts of `observations` were lost, for whatever stations: slices for which the archive holds fewer
 * reports than the ledger says are forgotten, so their days are not done and the next load plans them. Coverage of the
 * calendar years that the range touches is rebuilt from what is left, so it has the hours, first and last report that
 * the archive really holds.
 *
 * The claims are removed first, so an interruption leaves days not done, never days done without their reports. Repeat
 * it then: it starts over. No loader may write and no page may be served meanwhile.
 *
 * @param range of the lost rows; a part of `observations` holds one calendar year
 */
export async function reopenDays(
  archive: Archive,
  range: DayRange,
  signal: AbortSignal,
): Promise<readonly DoneSlice[]> {
  const reopened: DoneSlice[] = [];
  for (const year of yearsOf(range)) {
    await removeClaims(archive, year, signal);
    const history = await readSliceHistory(archive, year, [], signal);
    const slices = await findLostSlices(archive, year, history, signal);
    await forgetSlices(archive, slices, signal);
    await claimAgain(archive, year, signal);
    for (const { source, station, firstDay, doneDay } of slices)
      reopened.push({ source, station, firstDay, endDay: doneDay });
  }
  return reopened;
}

async function forgetSlices(
  archive: Archive,
  slices: readonly RecordedSlice[],
  signal: AbortSignal,
): Promise<void> {
  const keys = slices.map(sliceKey);
  for (let at = 0; at < keys.length; at += SLICES_PER_DELETE) {
    const some = keys.slice(at, at + SLICES_PER_DELETE);
    await deleteRows(archive, 'slices', `${SLICE_KEY} IN {slices:Array(String)}`, { slices: some }, signal);
  }
}

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
async function removeClaims(archive: Archive, year: number, signal: AbortSignal): Promise<void> {
  await deleteRows(archive, 'coverage', 'year = {year:UInt16}', { year }, signal);
}

/** Reports first: days are done only once the view knows their reports. */
async function claimAgain(archive: Archive, year: number, signal: AbortSignal): Promise<void> {
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
