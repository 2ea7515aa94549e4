import type { Archive } from '../../clickhouse/archive.ts';
import {
  doneDaysOf,
  isConfirmed,
  type RecordedSlice,
  readSliceHistory,
} from '../../clickhouse/coverage/ledger/ledger.ts';
import { findLostReports, type LostReports } from '../../clickhouse/coverage/ledger/lost-reports.ts';
import { type DailyCounts, readDailyCounts, storedByDay } from '../../clickhouse/coverage/report-counts.ts';
import type { StationDays } from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import {
  addDays,
  type Day,
  type DayRange,
  dayNumbersOf,
  dayOfNumber,
  dayRangesOf,
  daySetOf,
  intersect,
  SECONDS_PER_DAY,
  subtract,
  unionOf,
  yearDays,
} from '../../clickhouse/model/day.ts';
import { type Scope, yearWindow } from '../../clickhouse/model/time-window.ts';
import { fillableDays, type Gap, isListedFor } from './gap.ts';

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
    const suspicious = lowCountDays([...dayNumbersOf(whole)].map(dayOfNumber), observations);
    low.push(...lowCountGaps(of, rows, suspicious));
  };

  const { from, to } = yearWindow(year);
  // Days near New Year are compared with days of the other year.
  const more = WEEK * SECONDS_PER_DAY;
  const selection = { stations: scope.stations, from: from - more, to: to + more };
  const without = new Set(byStation.keys());
  for await (const counts of readDailyCounts(archive, selection)) {
    without.delete(counts.station);
    findOf(counts);
  }
  for (const station of without) findOf({ station, days: [] });
  // Some stations' reports do not tell what a slice over all stations should hold.
  if (scope.stations.length === 0)
    for (const found of findLostReports(world, worldTotals))
      if (overlaps(found, scope) && fillableDays(daySetOf(found), found.source, 'all').length > 0)
        lost.push({ kind: 'lost', station: ALL_STATIONS, ...found });
  return [...lost, ...low];
}

/** Days that are open anyway are not listed twice. */
function lostGaps({ station, listings, open }: StationDays, scope: Scope, lost: readonly LostReports[]) {
  return lost.flatMap((found): readonly Gap[] => {
    const again = subtract(fillableDays(daySetOf(found), found.source, listings), open);
    return overlaps(found, scope) && again.length > 0 ? [{ kind: 'lost', station, ...found }] : [];
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
  low: readonly LowCountDay[],
) {
  return low.flatMap(({ day, ...counts }): readonly Gap[] => {
    const range = { firstDay: day, endDay: addDays(day, 1) };
    // The source that delivered most of the station's days, among those that delivered this day and still have it.
    const source = done.find(({ source, days }) => {
      const delivered = intersect(days, daySetOf(range));
      return fillableDays(delivered, source, listings).length > 0;
    })?.source;
    if (source === undefined) return [];
    const rows = history.filter((row) => row.source === source);
    return isConfirmed(rows, day) ? [] : [{ kind: 'low count', station, source, ...range, ...counts }];
  });
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
