import type { Archive } from '../../archive.ts';
import { type DayRange, yearsOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { deleteRows } from '../../statements/select.ts';
import { findLostSlices, SLICE_KEY, sliceKey } from './lost-slices.ts';
import { type RecordedSlice, readSliceHistory } from './read-slices.ts';
import { claimAgain, removeClaims } from './rebuild-coverage.ts';

/** Days that no loader has delivered any longer, as far as the archive knows. */
type ReopenedSlice = DayRange & {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
};

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
): Promise<readonly ReopenedSlice[]> {
  const reopened: ReopenedSlice[] = [];
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
