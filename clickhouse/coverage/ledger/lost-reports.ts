import type { Archive } from '../../archive.ts';
import { groupBy, inGroups } from '../../group-by.ts';
import {
  type DayRange,
  type DaySet,
  dayNumbersOf,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  numberOfDay,
  subtract,
  unionOf,
} from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { yearWindow } from '../../model/time-window.ts';
import { deleteRows } from '../../observations/maintenance.ts';
import { readDailyCounts, type StoredByDay, storedByDay } from '../report-counts.ts';
import { ALL_STATIONS } from '../station-listings.ts';
import { doneDaysOf, inRecordedOrder, type RecordedSlice } from './ledger.ts';

/** Days that a source must resend, because the archive holds fewer reports than when they were recorded. */
export type LostReports = DayRange & {
  readonly source: Source;
  readonly recorded: number;
  readonly stored: number;
};

/**
 * Reports are only ever added, so a day with fewer than after an earlier load has lost some. Which source had sent them is
 * unknown: every source that delivered the day before, and not since, must resend it, and its newer row says what there is.
 *
 * @param covering rows that are not compared but deliver the same days: the slices over all stations
 */
export function findLostReports(
  rows: readonly RecordedSlice[],
  stored: StoredByDay,
  covering: readonly RecordedSlice[] = [],
): readonly LostReports[] {
  const short = new Map<RecordedSlice, DaySet>();
  for (const row of rows) {
    const days = shortDays(row, stored);
    if (days.length > 0) short.set(row, days);
  }
  if (short.size === 0) return [];
  const ordered = inRecordedOrder([...rows, ...covering]);
  const lost: LostReports[] = [];
  let found = NO_DAYS;
  // The newest row that falls short tells which rows were recorded before the loss.
  for (const [at, row] of [...ordered.entries()].reverse()) {
    const days = subtract(short.get(row) ?? NO_DAYS, found);
    found = unionOf([...found, ...days]);
    // One station's reports do not show whether a later slice over all stations is complete.
    const since = ordered.slice(at + 1).filter((later) => !covering.includes(later));
    for (const { source, again } of daysToSendAgain(days, ordered.slice(0, at + 1), since))
      for (const range of dayRangesOf(again)) lost.push({ source, ...range, ...lossIn(row, range, stored) });
  }
  return lost;
}

function daysToSendAgain(days: DaySet, before: readonly RecordedSlice[], since: readonly RecordedSlice[]) {
  if (days.length === 0) return [];
  const broughtBy = (source: Source, rows: readonly RecordedSlice[]) =>
    unionOf(rows.filter((row) => row.source === source).flatMap(doneDaysOf));
  return [...new Set(before.map(({ source }) => source))].map((source) => ({
    source,
    again: subtract(intersect(days, broughtBy(source, before)), broughtBy(source, since)),
  }));
}

function shortDays({ firstDay, reportsByDay }: RecordedSlice, stored: StoredByDay): DaySet {
  const first = numberOfDay(firstDay);
  return unionOf(
    reportsByDay.flatMap((count, at) => {
      const day = first + at;
      return (stored.get(day) ?? 0) < count ? [{ first: day, end: day + 1 }] : [];
    }),
  );
}

function lossIn({ firstDay, reportsByDay }: RecordedSlice, range: DayRange, storedByDay: StoredByDay) {
  const first = numberOfDay(firstDay);
  let [recorded, stored] = [0, 0];
  for (const day of dayNumbersOf(daySetOf(range))) {
    recorded += reportsByDay[day - first] ?? 0;
    stored += storedByDay.get(day) ?? 0;
  }
  return { recorded, stored };
}

/** An expression for what `sliceKey` returns. */
const SLICE_KEY = "concat(source, ' ', station, ' ', toString(firstDay), ' ', toString(doneDay))";

export function sliceKey({ source, station, firstDay, doneDay }: RecordedSlice): string {
  return [source, station, firstDay, doneDay].join(' ');
}

export const SLICES_PER_STATEMENT = 500;

export async function deleteSlices(archive: Archive, rows: readonly RecordedSlice[]): Promise<void> {
  for (const slices of inGroups(rows.map(sliceKey), SLICES_PER_STATEMENT))
    await deleteRows(archive, 'slices', `${SLICE_KEY} IN {slices:Array(String)}`, { slices });
}

/** @param rows of a calendar year, of this archive or of another one; returned are those whose reports are not all here */
export async function findLostSlices(archive: Archive, year: number, rows: readonly RecordedSlice[]) {
  if (rows.length === 0) return [];
  const history = groupBy(rows, ({ station }) => station);
  const world = history.get(ALL_STATIONS) ?? [];
  history.delete(ALL_STATIONS);
  const lost = new Set<RecordedSlice>();
  const add = (rows: readonly RecordedSlice[], found: readonly LostReports[]) => {
    for (const { source, ...days } of found)
      for (const row of rows)
        if (row.source === source && intersect(doneDaysOf(row), daySetOf(days)).length > 0) lost.add(row);
  };
  const totals = new Map<number, number>();
  const compare = (station: string, stored: StoredByDay) => {
    for (const [day, reports] of stored) totals.set(day, (totals.get(day) ?? 0) + reports);
    const rows = history.get(station) ?? [];
    history.delete(station);
    add([...rows, ...world], findLostReports(rows, stored, world));
  };
  const selection = { stations: [], ...yearWindow(year) };
  for await (const counts of readDailyCounts(archive, selection))
    compare(counts.station, storedByDay(counts));
  for (const station of [...history.keys()]) compare(station, new Map());
  add(world, findLostReports(world, totals));
  return [...lost];
}
