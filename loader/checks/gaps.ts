import type { Archive } from '../../clickhouse/archive.ts';
import { findLostReports, type LostReports } from '../../clickhouse/coverage/ledger/claims.ts';
import {
  doneDaysOf,
  isConfirmed,
  type RecordedSlice,
  readAskedDays,
  readSliceHistory,
} from '../../clickhouse/coverage/ledger/ledger.ts';
import { type DailyCounts, readDailyCounts, storedByDay } from '../../clickhouse/coverage/report-counts.ts';
import { dueDays, provenDays } from '../../clickhouse/coverage/rules.ts';
import {
  readListedStations,
  readStationDays,
  type StationDays,
} from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS, type Listing } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import {
  addDays,
  countDays,
  type DayRange,
  type DayRun,
  type DaySet,
  dayNumber,
  dayNumbersOf,
  dayOf,
  dayOfNumber,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  SECONDS_PER_DAY,
  subtract,
  unionOf,
  within,
  yearDays,
  yearOf,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { type Scope, yearWindow } from '../../clickhouse/model/time-window.ts';
import { isSourceName, SOURCE_ADAPTERS, SOURCE_NAMES } from '../sources/registry.ts';
import { DAYS_AROUND, lowCountDays, type SilentRuns, silentRuns } from './unusual-days.ts';

/** Days to load, of one station or, with `*`, of all stations. */
export type Gap = DayRange & { readonly station: string; readonly source: Source } & (
    | { readonly kind: 'not done' }
    /** Done by the ledger, but the archive holds fewer reports now than the ledger records. */
    | { readonly kind: 'lost'; readonly recorded: number; readonly stored: number }
    /** Done by the coverage view, but not by the ledger, so nothing says how many reports there were. */
    | { readonly kind: 'not recorded' }
    /** Done, without any report although the station reports before and after. */
    | { readonly kind: 'silent' }
    /** Done, with far fewer reports than the days around it. */
    | { readonly kind: 'low count'; readonly reports: number; readonly usual: number }
  );

export type Gaps = {
  readonly gaps: readonly Gap[];
  readonly unfillable: { readonly days: number; readonly stations: number };
};

/**
 * Everything in a scope that should be loaded, or loaded again.
 *
 * @param days `asked`: only those that loads have requested, and no synthetic reports
 */
export async function findGaps(archive: Archive, scope: Scope, now: Date, days: 'all' | 'asked' = 'all') {
  const askedOf = days === 'asked' ? await readAskedDays(archive, scope) : undefined;
  const stations = scope.stations.length > 0 ? scope.stations : await readListedStations(archive);
  const gaps: Gap[] = [];
  const unfillable = { days: 0, stations: 0 };
  const byStation = new Map<string, StationDays>();
  for await (const ofStation of readStationDays(archive, stations, scope, now)) {
    byStation.set(ofStation.station, ofStation);
    const open = askedOf === undefined ? ofStation.open : intersect(ofStation.open, askedOf(ofStation));
    const candidates = sourcesByPreference(ofStation).map((source) => ({ source, days: open }));
    const left = addGaps(gaps, 'not done', ofStation, open, candidates);
    if (left.length === 0) continue;
    unfillable.days += countDays(left);
    unfillable.stations += 1;
  }
  for (const year of yearsOf(scope))
    gaps.push(...(await findGapsOfDoneDays(archive, scope, year, byStation)));
  const silent = await findSilentDays(archive, scope, byStation);
  const isSilent = (gap: Gap) => intersect(silent.days.get(gap.station) ?? NO_DAYS, daySetOf(gap)).length > 0;
  const found = [...gaps.filter((gap) => gap.kind !== 'low count' || !isSilent(gap)), ...silent.gaps];
  return { gaps: days === 'all' ? found : found.filter(({ source }) => source !== 'demo'), unfillable };
}

/** The sources that list a station: those that delivered most of its days first, then the largest. */
function sourcesByPreference({ done, listings }: StationDays): readonly Source[] {
  const listedBy = new Set(listings.map(({ source }) => source));
  const loadedFrom = done.map(({ source }) => source);
  return [...new Set([...loadedFrom, ...SOURCE_NAMES, ...listedBy])].filter((source) => listedBy.has(source));
}

/**
 * Adds each of the days as a gap of the first source that can fill it.
 *
 * @param candidates sources in the order of preference, each with the days for which it may be requested
 * @returns the days that no source can fill
 */
function addGaps(
  gaps: Gap[],
  kind: 'not done' | 'silent',
  { station, listings }: StationDays,
  days: DaySet,
  candidates: StationDays['done'],
): DaySet {
  let left = days;
  for (const candidate of candidates) {
    const { source } = candidate;
    const filled = intersect(left, fillableDays(candidate.days, source, listings));
    for (const range of dayRangesOf(filled)) gaps.push({ kind, station, source, ...range });
    left = subtract(left, filled);
  }
  return left;
}

/**
 * The days of `asked` for which a load from this source makes a request (D39): the source can be requested, lists the
 * station, does not exclude the day from its period of record, and had not ended.
 */
function fillableDays(asked: DaySet, source: Source, listings: readonly Listing[]): DaySet {
  const own = listings.filter((listing) => listing.source === source);
  if (own.length === 0 || !isSourceName(source)) return NO_DAYS;
  return within(dueDays(asked, own), SOURCE_ADAPTERS[source]());
}

/** A function that says whether a row over all stations counts for this station: the source of the row must list it. */
function isListedFor({ listings }: StationDays): (row: RecordedSlice) => boolean {
  return ({ source }) => listings.some((listing) => listing.source === source);
}

/**
 * What is wrong with the done days of a calendar year: reports that the archive has lost, days without a ledger record,
 * and days with far fewer reports than the days around them.
 */
async function findGapsOfDoneDays(
  archive: Archive,
  scope: Scope,
  year: number,
  byStation: ReadonlyMap<string, StationDays>,
): Promise<readonly Gap[]> {
  const history = groupBy(await readSliceHistory(archive, year, scope.stations), ({ station }) => station);
  const world = history.get(ALL_STATIONS) ?? [];
  const worldTotals = new Map<number, number>();
  const [lost, low]: [Gap[], Gap[]] = [[], []];
  const findOf = ({ station, days }: DailyCounts) => {
    const stored = storedByDay({ days });
    for (const [day, reports] of stored) worldTotals.set(day, (worldTotals.get(day) ?? 0) + reports);
    const of = byStation.get(station);
    if (of === undefined) return;
    const own = history.get(station) ?? [];
    const covering = world.filter(isListedFor(of));
    const rows = [...own, ...covering];
    const again = [
      ...lostGaps(of, scope, findLostReports(own, stored, covering)),
      ...unrecordedGaps(of, year, rows),
    ];
    lost.push(...again);
    const done = intersect(subtract(of.due, of.open), yearDays(year));
    // A day that lost reports looks low until they are restored.
    const whole = subtract(done, unionOf(again.flatMap(daySetOf)));
    const observations = new Map(days.map(([day, count]) => [day, count]));
    low.push(...lowCountGaps(of, rows, lowCountDays(dayNumbersOf(whole), observations)));
  };

  const { from, to } = yearWindow(year);
  // Days near New Year are compared with days of the other year.
  const more = 7 * SECONDS_PER_DAY;
  const selection = { stations: scope.stations, from: from - more, to: to + more };
  const without = new Set(byStation.keys());
  for await (const counts of readDailyCounts(archive, selection)) {
    without.delete(counts.station);
    findOf(counts);
  }
  for (const station of without) findOf({ station, days: [] });
  // Only the reports of all stations can be compared with a slice over all stations.
  if (scope.stations.length === 0)
    lost.push(...lostGaps(OF_ALL_STATIONS, scope, findLostReports(world, worldTotals)));
  return [...lost, ...low];
}

/** The slices over all stations, which count without a listing. */
const OF_ALL_STATIONS = {
  station: ALL_STATIONS,
  open: NO_DAYS,
  listings: SOURCE_NAMES.map((source) => ({ source, station: ALL_STATIONS })),
};

/** Gaps for lost reports, without days that are not done: those are gaps already. */
function lostGaps(
  { station, listings, open }: Pick<StationDays, 'station' | 'listings' | 'open'>,
  scope: Scope,
  lost: readonly LostReports[],
) {
  return lost.flatMap((found): readonly Gap[] => {
    const again = subtract(fillableDays(daySetOf(found), found.source, listings), open);
    const isAsked = found.endDay > scope.firstDay && found.firstDay < scope.endDay;
    return isAsked && again.length > 0 ? [{ kind: 'lost', station, ...found }] : [];
  });
}

function unrecordedGaps(
  { station, done, listings }: StationDays,
  year: number,
  history: readonly RecordedSlice[],
) {
  return done.flatMap(({ source, days }): readonly Gap[] => {
    const recorded = unionOf(history.filter((row) => row.source === source).flatMap(doneDaysOf));
    const again = fillableDays(subtract(intersect(days, yearDays(year)), recorded), source, listings);
    return dayRangesOf(again).map((range) => ({ kind: 'not recorded', station, source, ...range }));
  });
}

function lowCountGaps(
  { station, done, listings }: StationDays,
  history: readonly RecordedSlice[],
  low: ReturnType<typeof lowCountDays>,
) {
  return low.flatMap(({ day, ...counts }): readonly Gap[] => {
    const range = { firstDay: dayOfNumber(day), endDay: dayOfNumber(day + 1) };
    // The source that delivered most of the station's days, among those that delivered this day and still have it.
    const source = done.find(({ source, days }) => {
      const delivered = intersect(days, daySetOf(range));
      return fillableDays(delivered, source, listings).length > 0;
    })?.source;
    if (source === undefined) return [];
    const rows = history.filter((row) => row.source === source);
    return isConfirmed(rows, range.firstDay)
      ? []
      : [{ kind: 'low count', station, source, ...range, ...counts }];
  });
}

/**
 * The days that are done and have no report although the station reports before or after them. A source can send an
 * empty body for days that it has (one did for 27 days of a station, another for whole years), so they are requested
 * again until two runs on different days, or two sources, have found them empty.
 *
 * @returns for each station that has such days, all of them and those to request again
 */
async function findSilentDays(archive: Archive, scope: Scope, byStation: ReadonlyMap<string, StationDays>) {
  const years = yearsOf({
    firstDay: addDays(scope.firstDay, -DAYS_AROUND),
    endDay: addDays(scope.endDay, DAYS_AROUND),
  });
  const asked = daySetOf(scope);
  const days = new Map<string, SilentRuns>();
  for (const [station, { everDone, reports, reportDays }] of byStation) {
    const ofOtherYears = reports
      .filter(({ first }) => !years.includes(yearOf(first)))
      .map(({ first, last }) => ({ first: dayNumber(first), end: dayNumber(last) + 1 }));
    const runs = silentRuns(everDone, unionOf([...reportDays, ...ofOtherYears]));
    if (intersect(runs, asked).length > 0) days.set(station, runs);
  }
  const recorded: RecordedSlice[] = [];
  for (const year of new Set([...days.values()].flatMap(dayRangesOf).flatMap(yearsOf)))
    recorded.push(...(await readSliceHistory(archive, year, [...days.keys()])));
  const history = groupBy(recorded, ({ station }) => station);
  const gaps: Gap[] = [];
  for (const [station, runs] of days) {
    const of = byStation.get(station) as StationDays;
    const ofAllStations = (history.get(ALL_STATIONS) ?? []).filter(isListedFor(of));
    const settled = foundEmptyTwice([...(history.get(station) ?? []), ...ofAllStations]);
    const again = runs.flatMap((run) =>
      subtract([run], settled).filter(({ first, end }) => end - first > run.longest),
    );
    addGaps(gaps, 'silent', of, intersect(again, asked), sourcesToAskAgain(of, asked));
  }
  return { days, gaps };
}

/** First the sources that made the days done. Sources that send only all stations come last: a day takes 25 requests. */
function sourcesToAskAgain({ done, listings }: StationDays, asked: DaySet): StationDays['done'] {
  const sendsOneStation = ({ source }: { readonly source: Source }) =>
    isSourceName(source) && SOURCE_ADAPTERS[source]().givesAllStations !== 'only';
  const others = listings.filter(sendsOneStation).map(({ source }) => ({ source, days: asked }));
  return [...done.filter(sendsOneStation), ...others, ...done];
}

/** The days that rows of two sources, or rows that were recorded on two days, have made done. */
function foundEmptyTwice(rows: readonly RecordedSlice[]): DaySet {
  const twice: DayRun[] = [];
  const bySource = groupBy(rows, ({ source }) => source);
  const byDay = groupBy(rows, ({ recordedAt }) => dayOf(recordedAt));
  for (const groups of [bySource, byDay]) {
    let once = NO_DAYS;
    for (const group of groups.values()) {
      const days = unionOf(group.flatMap((row) => provenDays(row.source, doneDaysOf(row))));
      twice.push(...intersect(once, days));
      once = unionOf([...once, ...days]);
    }
  }
  return unionOf(twice);
}
