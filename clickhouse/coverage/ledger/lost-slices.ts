import type { Archive } from '../../archive.ts';
import { daySetOf, intersect, numberOfDay } from '../../model/day.ts';
import { readDailyCounts } from '../report-counts.ts';
import { ALL_STATIONS } from '../station-listings.ts';
import { findLostReports, type LostReports } from './lost-reports.ts';
import { doneDaysOf, type RecordedSlice } from './read-slices.ts';

/** An expression for what `sliceKey` returns. */
export const SLICE_KEY = "concat(source, ' ', station, ' ', toString(firstDay), ' ', toString(doneDay))";

/** Identifies the ledger rows that made the same days done by the same source. */
export function sliceKey({ source, station, firstDay, doneDay }: RecordedSlice): string {
  return [source, station, firstDay, doneDay].join(' ');
}

/**
 * The rows of a ledger whose reports are not all in the archive.
 *
 * @param rows of a calendar year, of this archive or of another one
 */
export async function findLostSlices(
  archive: Archive,
  year: number,
  rows: readonly RecordedSlice[],
  signal: AbortSignal,
): Promise<readonly RecordedSlice[]> {
  const history = new Map<string, RecordedSlice[]>();
  for (const row of rows) {
    const ofStation = history.get(row.station);
    if (ofStation === undefined) history.set(row.station, [row]);
    else ofStation.push(row);
  }
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
    add([...rows, ...world], findLostReports(rows, stored, world));
  };
  const selection = { stations: [], from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  for await (const { station, days } of readDailyCounts(archive, selection, signal))
    compare(station, new Map(days.map(([day, reports, nil]) => [numberOfDay(day), reports + nil])));
  for (const station of [...history.keys()]) compare(station, new Map());
  add(world, findLostReports(world, totals));
  return [...lost];
}
