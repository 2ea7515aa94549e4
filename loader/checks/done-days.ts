import type { Archive } from '../../clickhouse/archive.ts';
import {
  doneDaysOf,
  isConfirmed,
  type RecordedSlice,
  readSliceHistory,
} from '../../clickhouse/coverage/ledger/ledger.ts';
import { findLostReports, type StoredByDay } from '../../clickhouse/coverage/ledger/lost-reports.ts';
import {
  type DailyCounts,
  readDailyCounts,
  readReportingDays,
} from '../../clickhouse/coverage/report-counts.ts';
import type { StationDays } from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import {
  addDays,
  type Day,
  type DayRange,
  type DayRun,
  type DaySet,
  dayNumber,
  dayOf,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  numberOfDay,
  SECONDS_PER_DAY,
  splitByDay,
  subtract,
  unionOf,
  yearDays,
  yearOf,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { type Scope, yearWindow } from '../../clickhouse/model/time-window.ts';
import { isSourceName, SOURCE_ADAPTERS } from '../sources/registry.ts';
import { addGaps, fillableDays, type Gap } from './gap.ts';

/**
 * What is wrong with the done days of a calendar year: reports that the archive has lost, days without a ledger record,
 * and days with far fewer reports than the days around them.
 */
export async function findGapsOfDoneDays(
  archive: Archive,
  scope: Scope,
  year: number,
  byStation: ReadonlyMap<string, StationDays>,
): Promise<readonly Gap[]> {
  const history = groupBy(await readSliceHistory(archive, year, scope.stations), ({ station }) => station);
  const world = history.get(ALL_STATIONS) ?? [];
  const worldTotals = new Map<number, number>();
  const [lost, low]: [Gap[], Gap[]] = [[], []];
  const findOf = (station: string, days: DailyCounts['days']) => {
    const stored = new Map(days.map(([day, observations, nil]) => [numberOfDay(day), observations + nil]));
    for (const [day, reports] of stored) worldTotals.set(day, (worldTotals.get(day) ?? 0) + reports);
    const of = byStation.get(station);
    if (of === undefined) return;
    const own = history.get(station) ?? [];
    const covering = world.filter(isListedFor(of));
    const again = [
      ...lostGaps(of, scope, { own, covering, stored }),
      ...unrecordedGaps(of, year, [...own, ...covering]),
    ];
    lost.push(...again);
    const done = intersect(subtract(of.due, of.open), yearDays(year));
    // A day that lost reports looks low until they are restored.
    const whole = subtract(done, unionOf(again.flatMap(daySetOf)));
    const observations = new Map(days.map(([day, count]) => [day, count]));
    low.push(...lowCountGaps(of, whole, [...own, ...covering], observations));
  };

  const { from, to } = yearWindow(year);
  // Days near New Year are compared with days of the other year.
  const more = WEEK * SECONDS_PER_DAY;
  const selection = { stations: scope.stations, from: from - more, to: to + more };
  const without = new Set(byStation.keys());
  for await (const { station, days } of readDailyCounts(archive, selection)) {
    without.delete(station);
    findOf(station, days);
  }
  for (const station of without) findOf(station, []);
  // Some stations' reports do not tell what a slice over all stations should hold.
  if (scope.stations.length === 0)
    for (const found of findLostReports(world, worldTotals))
      if (overlaps(found, scope) && fillableDays(daySetOf(found), found.source, 'all').length > 0)
        lost.push({ kind: 'lost', station: ALL_STATIONS, ...found });
  return [...lost, ...low];
}

type StationRecord = {
  /** The ledger's rows of the station. */
  readonly own: readonly RecordedSlice[];
  /** Those of all stations, of sources that list it. */
  readonly covering: readonly RecordedSlice[];
  readonly stored: StoredByDay;
};

/** Days that are open anyway are not listed twice. */
function lostGaps(
  { station, listings, open }: StationDays,
  scope: Scope,
  { own, covering, stored }: StationRecord,
): readonly Gap[] {
  return findLostReports(own, stored, covering)
    .filter((found) => {
      const again = fillableDays(daySetOf(found), found.source, listings);
      return overlaps(found, scope) && subtract(again, open).length > 0;
    })
    .map((found) => ({ kind: 'lost', station, ...found }));
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
  of: StationDays,
  done: DaySet,
  history: readonly RecordedSlice[],
  observations: ReadonlyMap<Day, number>,
): readonly Gap[] {
  const days = dayRangesOf(done).flatMap(splitByDay);
  const low = lowCountDays(
    days.map(({ firstDay }) => firstDay),
    observations,
  );
  return low.flatMap(({ day, ...counts }): readonly Gap[] => {
    const range = { firstDay: day, endDay: addDays(day, 1) };
    const asked = daySetOf(range);
    // The source that delivered most of the station's days, among those that delivered this day and still have it.
    const source = of.done.find(
      ({ source, days }) =>
        intersect(days, asked).length > 0 && fillableDays(asked, source, of.listings).length > 0,
    )?.source;
    if (source === undefined) return [];
    const rows = history.filter((row) => row.source === source);
    if (isConfirmed(rows, day)) return [];
    return [{ kind: 'low count', station: of.station, source, ...range, ...counts }];
  });
}

function isListedFor({ listings }: StationDays): (row: RecordedSlice) => boolean {
  return ({ source }) => listings.some((listing) => listing.source === source);
}

function overlaps(days: DayRange, { firstDay, endDay }: DayRange): boolean {
  return days.endDay > firstDay && days.firstDay < endDay;
}

type LowCountDay = { readonly day: Day; readonly reports: number; readonly usual: number };

const WEEK = 7;
/** Stations with fewer reports per day are irregular. */
const MIN_USUAL = 8;

/**
 * Finds days with few reports: fewer than half the median of the seven days before and the seven after, where the median
 * is eight or more; and fewer than half of the same weekday a week before or after, because many stations close at
 * weekends.
 *
 * @param reports by day; a missing day has none
 */
export function lowCountDays(days: Iterable<Day>, reports: ReadonlyMap<Day, number>): readonly LowCountDay[] {
  const countOn = (day: Day) => reports.get(day) ?? 0;
  const found: LowCountDay[] = [];
  for (const day of days) {
    const count = countOn(day);
    if (count * 2 >= Math.max(countOn(addDays(day, -WEEK)), countOn(addDays(day, WEEK)))) continue;
    const around = Array.from({ length: WEEK }, (_, n) => [addDays(day, -n - 1), addDays(day, n + 1)]).flat();
    // The lower of the two middle values: if half of the surrounding days have no report, that is normal.
    const usual = around.map(countOn).sort((a, b) => a - b)[WEEK - 1] ?? 0;
    if (usual >= MIN_USUAL && count * 2 < usual) found.push({ day, reports: count, usual });
  }
  return found;
}

/**
 * The days that are done and have no report although the station reports, before or after them. A source can send an
 * empty body for days that it has (one did for 27 days of a station, another for whole years), so they are requested
 * again until two runs on different days, or two sources, have found them empty.
 *
 * @returns the days by station, without stations that have none, and those of them to request again
 */
export async function findSilentDays(
  archive: Archive,
  scope: Scope,
  byStation: ReadonlyMap<string, StationDays>,
): Promise<{ readonly days: ReadonlyMap<string, DaySet>; readonly gaps: readonly Gap[] }> {
  const years = yearsOf({
    firstDay: addDays(scope.firstDay, -DAYS_AROUND),
    endDay: addDays(scope.endDay, DAYS_AROUND),
  });
  const [firstYear = 0, lastYear = 0] = [years[0], years.at(-1)];
  const reporting = await readReportingDays(archive, scope.stations, { firstYear, lastYear });
  const asked = daySetOf(scope);
  const found = new Map<string, SilentRuns>();
  for (const [station, { everDone, reports }] of byStation) {
    const ofOtherYears = reports
      .filter(({ first }) => yearOf(first) < firstYear || yearOf(first) > lastYear)
      .map(({ first, last }) => ({ first: dayNumber(first), end: dayNumber(last) + 1 }));
    const runs = silentRuns(everDone, unionOf([...(reporting.get(station) ?? []), ...ofOtherYears]));
    if (intersect(daysOf(runs), asked).length > 0) found.set(station, runs);
  }
  const recorded: RecordedSlice[] = [];
  for (const year of new Set([...found.values()].map(daysOf).flatMap(dayRangesOf).flatMap(yearsOf)))
    recorded.push(...(await readSliceHistory(archive, year, [...found.keys()])));
  const history = groupBy(recorded, ({ station }) => station);
  const gaps: Gap[] = [];
  for (const [station, runs] of found) {
    const of = byStation.get(station) as StationDays;
    const rows = [
      ...(history.get(station) ?? []),
      ...(history.get(ALL_STATIONS) ?? []).filter(isListedFor(of)),
    ];
    const settled = foundEmptyTwice(rows);
    const again = runs.flatMap(({ run, longest }) =>
      subtract([run], settled).filter(({ first, end }) => end - first > longest),
    );
    const candidates = sourcesToAskAgain(of, asked);
    addGaps(gaps, 'silent', of, { days: intersect(again, asked), candidates });
  }
  return { days: new Map([...found].map(([station, runs]) => [station, daysOf(runs)])), gaps };
}

/** Runs of done days without reports that are longer than is usual for the station: `longest`. */
type SilentRuns = readonly { readonly run: DayRun; readonly longest: number }[];

const daysOf = (runs: SilentRuns): DaySet => runs.map(({ run }) => run);

/** A station that closes at weekends reports on 10 of 14 days. */
const [DAYS_AROUND, MIN_REPORTING] = [14, 11];
/** Holidays next to a weekend; and so many times its usual silence. */
const [MIN_SILENT_DAYS, TIMES_USUAL] = [7, 3];
/** A longer silence is no habit of a station, however often its source has left out a whole year. */
const MAX_USUAL_DAYS = 60;

/**
 * The runs of done days without a report that are not usual for a station (D57, D71): of any length while it reports on
 * most days before and after them; else, also before its first and after its last report, those of more than a week and
 * three times as long as nine of ten of its other silences. So weekends, and the pauses of a station that seldom reports,
 * are usual. None if the station never reports.
 */
export function silentRuns(done: DaySet, reporting: DaySet): SilentRuns {
  if (reporting.length === 0) return [];
  const runs = subtract(done, reporting);
  const pauses = runs
    .filter(({ first, end }) => countDaysWithin(reporting, first - 1, end + 1) === 2)
    .map(({ first, end }) => end - first)
    .sort((a, b) => a - b);
  return runs.flatMap((run) => {
    const { first, end } = run;
    const isAmongReports =
      countDaysWithin(reporting, first - DAYS_AROUND, first) >= MIN_REPORTING &&
      countDaysWithin(reporting, end, end + DAYS_AROUND) >= MIN_REPORTING;
    if (isAmongReports) return [{ run, longest: 0 }];
    const length = end - first;
    if (length <= MIN_SILENT_DAYS) return [];
    const at = pauses.indexOf(length);
    const others = at < 0 ? pauses : pauses.toSpliced(at, 1);
    const usual = Math.min(MAX_USUAL_DAYS, others[Math.ceil(others.length * 0.9) - 1] ?? 0);
    const longest = Math.max(MIN_SILENT_DAYS, TIMES_USUAL * usual);
    return length > longest ? [{ run, longest }] : [];
  });
}

/** The days of a set in `[from, to)`, by a binary search: a station that closes at weekends has a thousand runs. */
function countDaysWithin(days: DaySet, from: number, to: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] as DayRun).end <= from) low = middle + 1;
    else high = middle;
  }
  let count = 0;
  for (let at = low; at < days.length; at += 1) {
    const { first, end } = days[at] as DayRun;
    if (first >= to) break;
    count += Math.min(end, to) - Math.max(first, from);
  }
  return count;
}

/** First the source that made the days done. One that sends all stations alone is a last resort: a day takes 25 requests. */
function sourcesToAskAgain({ done, listings }: StationDays, asked: DaySet): StationDays['done'] {
  const sendsOneStation = ({ source }: { readonly source: Source }) =>
    isSourceName(source) && SOURCE_ADAPTERS[source]().givesAllStations !== 'only';
  const others = listings.filter(sendsOneStation).map(({ source }) => ({ source, days: asked }));
  return [...done.filter(sendsOneStation), ...others, ...done];
}

/** The days that rows of two sources, or rows that were recorded on two days, have made done. */
function foundEmptyTwice(rows: readonly RecordedSlice[]): DaySet {
  return unionOf(
    [groupBy(rows, ({ source }) => source), groupBy(rows, ({ recordedAt }) => dayOf(recordedAt))].flatMap(
      (groups) => {
        let [once, twice] = [NO_DAYS, NO_DAYS];
        for (const group of groups.values()) {
          const days = unionOf(group.flatMap(doneDaysOf));
          twice = unionOf([...twice, ...intersect(once, days)]);
          once = unionOf([...once, ...days]);
        }
        return twice;
      },
    ),
  );
}
