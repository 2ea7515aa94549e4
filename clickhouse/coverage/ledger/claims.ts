import type { Archive } from '../../archive.ts';
import { groupBy, inGroups } from '../../group-by.ts';
import {
  type Day,
  type DayRange,
  type DaySet,
  dayNumbersOf,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  numberOfDay,
  numbersInYear,
  splitByYear,
  subtract,
  unionOf,
  yearsOf,
} from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { type Scope, windowOfDays, yearWindow } from '../../model/time-window.ts';
import { deleteRows } from '../../observations/maintenance.ts';
import { namedStatement, selectRows } from '../../statements/select.ts';
import { readDailyCounts, type StoredByDay, storedByDay } from '../report-counts.ts';
import { ALL_STATIONS, readListings } from '../station-listings.ts';
import {
  doneDaysOf,
  inRecordedOrder,
  newRun,
  type RecordedSlice,
  readSliceHistory,
  recordSlices,
  type SliceRecord,
} from './ledger.ts';

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
  const short = new Map(rows.map((row) => [row, shortDays(row, stored)]));
  if ([...short.values()].every((days) => days.length === 0)) return [];
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

function lossIn({ firstDay, reportsByDay }: RecordedSlice, range: DayRange, stored: StoredByDay) {
  const first = numberOfDay(firstDay);
  const days = [...dayNumbersOf(daySetOf(range))];
  return {
    recorded: sum(days.map((day) => reportsByDay[day - first] ?? 0)),
    stored: sum(days.map((day) => stored.get(day) ?? 0)),
  };
}

/** SQL over a row of the ledger for what `sliceKey` returns. */
const SLICE_KEY = "concat(source, ' ', station, ' ', toString(firstDay), ' ', toString(doneDay))";

export function sliceKey({ source, station, firstDay, doneDay }: RecordedSlice): string {
  return [source, station, firstDay, doneDay].join(' ');
}

const SLICES_PER_STATEMENT = 500;

export async function deleteSlices(archive: Archive, rows: readonly RecordedSlice[]): Promise<void> {
  for (const slices of inGroups(rows.map(sliceKey), SLICES_PER_STATEMENT))
    await deleteRows(archive, 'slices', `${SLICE_KEY} IN {slices:Array(String)}`, { slices });
}

/** Returns the rows whose reports the archive does not have completely. `rows`: of a calendar year, of this or another archive. */
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

/**
 * Opens days of stations: afterwards no source has done them. The other stations of a slice of all stations keep its days by rows
 * of their own, which come first, so that coverage claims nothing false at any moment. Repeat it after an interruption.
 */
export async function removeClaims(archive: Archive, scope: Scope): Promise<void> {
  const listings = await readListings(archive, { stations: scope.stations });
  const sources = [...new Set(listings.map(({ source }) => source))];
  const years = splitByYear(scope);
  for (const range of years) await removeClaimsOfYear(archive, { ...scope, ...range }, sources);
  for (const range of years) {
    const params = { ...paramsOfYear({ ...scope, ...range }), sources };
    await archive.command(namedStatement('ledger/remove_days', params));
  }
}

async function removeClaimsOfYear(archive: Archive, scope: Scope, sources: readonly Source[]) {
  const [year = 0] = yearsOf(scope);
  const claims = (await readSliceHistory(archive, year, scope.stations)).filter(
    (row) =>
      (row.station !== ALL_STATIONS || sources.includes(row.source)) &&
      intersect(doneDaysOf(row), daySetOf(scope)).length > 0,
  );
  if (claims.length === 0) return;
  const ofAllStations = claims.filter(({ station }) => station === ALL_STATIONS);
  for (const [source, rows] of groupBy(ofAllStations, (row) => row.source))
    await claimForOthers(archive, scope, source, rows);
  const left = claims.flatMap((row) => outside(row, scope));
  await recordSlices(archive, left);
  await deleteSlices(archive, claims);
}

/** For each station that is not removed, records the days that slices of all stations have in the range. */
async function claimForOthers(
  archive: Archive,
  scope: Scope,
  source: Source,
  rows: readonly RecordedSlice[],
): Promise<void> {
  const ranges = dayRangesOf(intersect(unionOf(rows.flatMap(doneDaysOf)), daySetOf(scope)));
  const select = namedStatement('ledger/stations_listed_by', { source, stations: scope.stations });
  const others = await selectRows<{ station: string }>(archive, select);
  const run = newRun();
  for (const range of ranges) {
    const held = new Map<string, StoredByDay>();
    for await (const counts of readDailyCounts(archive, { stations: [], ...windowOfDays(range) }))
      held.set(counts.station, storedByDay(counts));
    const days = [...dayNumbersOf(daySetOf(range))];
    const about = { source, ...range, doneDay: range.endDay, inserted: 0, skipped: {}, run };
    const recordOf = ({ station }: { readonly station: string }): SliceRecord => {
      const reportsByDay = days.map((day) => held.get(station)?.get(day) ?? 0);
      return { ...about, station, reports: sum(reportsByDay), reportsByDay };
    };
    for (const some of inGroups(others, SLICES_PER_STATEMENT))
      await recordSlices(archive, some.map(recordOf));
  }
}

/** The parts of a row before and after these days, as rows of their own. */
function outside(row: RecordedSlice, { firstDay, endDay }: DayRange): readonly SliceRecord[] {
  const before = { firstDay: row.firstDay, doneDay: firstDay, endDay: firstDay };
  const after = { firstDay: endDay, doneDay: row.doneDay, endDay: row.endDay };
  const parts = [before, after].filter((part) => part.firstDay < part.doneDay);
  const at = (day: Day) => numberOfDay(day) - numberOfDay(row.firstDay);
  return parts.map((part) => {
    const reportsByDay = row.reportsByDay.slice(at(part.firstDay), at(part.doneDay));
    return { ...row, ...part, reports: sum(reportsByDay), reportsByDay, inserted: 0, skipped: {} };
  });
}

/** Removes the hours of reports that are gone, and corrects the first and last report of each year. */
export async function removeReportHours(archive: Archive, scope: Scope): Promise<void> {
  for (const range of splitByYear(scope)) {
    const params = { ...paramsOfYear({ ...scope, ...range }), ...windowOfDays(range) };
    const others = await selectRows<OtherReports>(archive, namedStatement('ledger/reports_outside', params));
    const [keys, firsts, lasts] = (['key', 'first', 'last'] as const).map((name) =>
      others.map((row) => row[name]),
    );
    await archive.command(namedStatement('ledger/remove_hours', { ...params, keys, firsts, lasts }));
  }
}

/** The first and the last of the reports that a station and source has in a year outside the removed days. */
type OtherReports = { readonly key: string; readonly first: number; readonly last: number };

/** @param scope days of one calendar year */
function paramsOfYear(scope: Scope) {
  const [year = 0] = yearsOf(scope);
  const days = numbersInYear(daySetOf(scope), year);
  // Texts, because a mutation prints a parameter of the type UInt256 as a number and reads that as a Float64.
  const all = days.reduce((bits, day) => bits | (1n << BigInt(day)), 0n);
  const [bits, lateBits] = [`${BigInt.asUintN(256, all)}`, `${all >> 256n}`];
  return { stations: scope.stations, year, days, bits, lateBits };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
