import type { Archive } from '../../archive.ts';
import { type Day, dayStart } from '../../model/day.ts';
import type { DayRange } from '../../model/day-ranges.ts';
import { dayNumber, daySetOf, intersect } from '../../model/day-set.ts';
import type { Source } from '../../model/report.ts';
import { deleteRows } from '../../statements/delete-rows.ts';
import { readDailyCounts } from '../report-counts.ts';
import { ALL_STATIONS } from '../station-listings.ts';
import { findLostReports, type LostReports } from './lost-reports.ts';
import { claimAgain, removeClaims } from './rebuild-coverage.ts';
import { doneDaysOf, type RecordedSlice, readSliceHistory } from './slice-history.ts';

/** Days that no loader has brought any more, as far as the archive knows. */
export type ReopenedSlice = DayRange & {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
};

/** Slices that one statement forgets. */
const SLICES_PER_DELETE = 500;

/**
 * Opens days again after parts of `observations` were lost, whichever stations these held: the slices of which the
 * archive holds fewer reports than the ledger says are forgotten, so that their days are not done and the next load
 * plans them. Coverage of the calendar years that the range touches is made again from what is left, so it has the hours,
 * the first and the last report that the archive really holds.
 *
 * The claims are removed before anything else, so an interruption leaves days that are not done, never days that are
 * done without their reports. Repeat it then: it begins anew. Let no loader write meanwhile, and serve no page.
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
    const slices = await findLostSlices(archive, year, signal);
    await forgetSlices(archive, slices, signal);
    await claimAgain(archive, year, signal);
    for (const { source, station, firstDay, doneDay } of slices)
      reopened.push({ source, station, firstDay, endDay: doneDay });
  }
  return reopened;
}

/** The rows of the ledger whose reports are not all in the archive. Nothing is allowed for reports at the edges. */
async function findLostSlices(
  archive: Archive,
  year: number,
  signal: AbortSignal,
): Promise<readonly RecordedSlice[]> {
  const history = new Map<string, RecordedSlice[]>();
  for (const row of await readSliceHistory(archive, year, [], signal))
    history.set(row.station, [...(history.get(row.station) ?? []), row]);
  const world = history.get(ALL_STATIONS) ?? [];
  history.delete(ALL_STATIONS);
  const lost = new Set<RecordedSlice>();
  const add = (rows: readonly RecordedSlice[], found: readonly LostReports[]) => {
    for (const { source, ...days } of found)
      for (const row of rows)
        if (row.source === source && intersect(doneDaysOf(row), daySetOf(days)).length > 0) lost.add(row);
  };
  const totals = new Map<number, number>();
  const compare = (station: string, stored: ReadonlyMap<number, number>) => {
    for (const [day, reports] of stored) totals.set(day, (totals.get(day) ?? 0) + reports);
    const rows = history.get(station) ?? [];
    history.delete(station);
    add([...rows, ...world], findLostReports(rows, stored, world, 1));
  };
  const selection = { stations: [], from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  for await (const { station, days } of readDailyCounts(archive, selection, signal))
    compare(station, new Map(days.map(([day, reports, nil]) => [numberOf(day), reports + nil])));
  for (const station of [...history.keys()]) compare(station, new Map());
  add(world, findLostReports(world, totals, [], 1));
  return [...lost];
}

async function forgetSlices(
  archive: Archive,
  slices: readonly RecordedSlice[],
  signal: AbortSignal,
): Promise<void> {
  const keys = slices.map(({ source, station, firstDay, doneDay }) =>
    [source, station, firstDay, doneDay].join(' '),
  );
  const key = "concat(source, ' ', station, ' ', toString(firstDay), ' ', toString(doneDay))";
  for (let at = 0; at < keys.length; at += SLICES_PER_DELETE) {
    const some = keys.slice(at, at + SLICES_PER_DELETE);
    await deleteRows(archive, 'slices', `${key} IN {slices:Array(String)}`, { slices: some }, signal);
  }
}

function numberOf(day: Day): number {
  return dayNumber(dayStart(day));
}

function yearsOf({ firstDay, endDay }: DayRange): readonly number[] {
  const [first, last] = [dayStart(firstDay), dayStart(endDay) - 1].map((at) =>
    new Date(at * 1000).getUTCFullYear(),
  );
  const years: number[] = [];
  for (let year = first as number; year <= (last as number); year += 1) years.push(year);
  return years;
}
