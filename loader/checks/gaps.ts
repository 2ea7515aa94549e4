import type { Archive } from '../../clickhouse/archive.ts';
import { readIncompleteSlices } from '../../clickhouse/coverage/ledger/incomplete-slices.ts';
import { isConfirmed, readSliceHistory } from '../../clickhouse/coverage/ledger/slice-history.ts';
import { readDailyCounts } from '../../clickhouse/coverage/report-counts.ts';
import {
  readListedStations,
  readStationDays,
  type StationDays,
} from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import {
  countDays,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  subtract,
  yearDays,
} from '../../clickhouse/model/day-set.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { type Scope, selectionOf } from '../commands/args/scope.ts';
import { groupBy } from '../group-by.ts';
import { fillableDays, sourcesByPreference } from './fillable-days.ts';
import { type LowCountDay, lowCountDays } from './low-count-days.ts';

/** Days to load, of a station or, with `*`, of all of them. */
export type Gap = DayRange & { readonly station: string; readonly source: Source } & (
    | { readonly kind: 'not done' }
    /** Done, but the archive holds fewer reports than the source sent. */
    | { readonly kind: 'incomplete'; readonly sent: number; readonly stored: number }
    /** Done, with far fewer reports than the days around. */
    | { readonly kind: 'low count'; readonly reports: number; readonly usual: number }
  );

export type Gaps = {
  readonly gaps: readonly Gap[];
  /** Open days that no source can fill: how many, over how many stations. */
  readonly unfillable: { readonly days: number; readonly stations: number };
};

const WEEK_SECONDS = 7 * 86_400;

/** Everything in a scope that should be loaded, or loaded again (D39). */
export async function findGaps(client: Archive, scope: Scope, now: Date, signal: AbortSignal): Promise<Gaps> {
  const stations = scope.stations.length > 0 ? scope.stations : await readListedStations(client, signal);
  const gaps: Gap[] = [];
  const unfillable = { days: 0, stations: 0 };
  const byStation = new Map<string, StationDays>();
  for await (const days of readStationDays(client, stations, scope, now, signal)) {
    byStation.set(days.station, days);
    const left = addNotDone(gaps, days);
    if (left.length === 0) continue;
    unfillable.days += countDays(left);
    unfillable.stations += 1;
  }
  for (const year of yearsOf(scope)) {
    gaps.push(...(await incompleteSlices(client, scope, year, byStation, signal)));
    gaps.push(...(await lowCounts(client, scope, year, byStation, signal)));
  }
  return { gaps, unfillable };
}

/** Gives each open day to the first source that can fill it, and returns the days that none can fill. */
function addNotDone(gaps: Gap[], days: StationDays): DaySet {
  let open = days.open;
  for (const source of sourcesByPreference(days)) {
    const filled = intersect(open, fillableDays(open, source, days.listings));
    for (const range of dayRangesOf(filled))
      gaps.push({ kind: 'not done', station: days.station, source, ...range });
    open = subtract(open, filled);
  }
  return open;
}

async function incompleteSlices(
  client: Archive,
  scope: Scope,
  year: number,
  byStation: ReadonlyMap<string, StationDays>,
  signal: AbortSignal,
): Promise<readonly Gap[]> {
  // A slice may reach beyond the scope: all of its reports are counted.
  const selection = { stations: scope.stations, from: newYear(year), to: newYear(year + 1) };
  const slices = await readIncompleteSlices(client, selection, signal);
  return slices
    .filter(({ station, source, ...range }) => {
      if (range.endDay <= scope.firstDay || range.firstDay >= scope.endDay) return false;
      const listings = byStation.get(station)?.listings ?? [];
      return fillableDays(daySetOf(range), source, station === ALL_STATIONS ? 'all' : listings).length > 0;
    })
    .map((slice) => ({ kind: 'incomplete', ...slice }));
}

async function lowCounts(
  client: Archive,
  scope: Scope,
  year: number,
  byStation: ReadonlyMap<string, StationDays>,
  signal: AbortSignal,
): Promise<readonly Gap[]> {
  const { stations, from, to } = selectionOf(scope);
  const around = {
    stations,
    from: Math.max(from, newYear(year)) - WEEK_SECONDS,
    to: Math.min(to, newYear(year + 1)) + WEEK_SECONDS,
  };
  const found: { readonly of: StationDays; readonly low: LowCountDay; readonly source: Source }[] = [];
  for await (const { station, days } of readDailyCounts(client, around, signal)) {
    const of = byStation.get(station);
    if (of === undefined) continue;
    const done = intersect(subtract(of.due, of.open), yearDays(year));
    for (const low of lowCountDays(eachDay(done), new Map(days))) {
      const source = sourceToAskAgain(of, low.day);
      if (source !== undefined) found.push({ of, low, source });
    }
  }
  const stationsFound = [...new Set(found.map(({ of }) => of.station))];
  const history = groupBy(
    await readSliceHistory(client, year, stationsFound, signal),
    ({ source, station }) => `${source} ${station}`,
  );
  const rowsOf = (source: Source, station: string) => history.get(`${source} ${station}`) ?? [];
  return found
    .filter(({ of, low, source }) => {
      return !isConfirmed([...rowsOf(source, of.station), ...rowsOf(source, ALL_STATIONS)], low.day);
    })
    .map(({ of, source, low: { day, ...counts } }) => {
      return {
        kind: 'low count',
        station: of.station,
        source,
        firstDay: day,
        endDay: addDays(day, 1),
        ...counts,
      };
    });
}

/** The source that brought most of the station's days, among those that brought this one and still have it. */
function sourceToAskAgain({ done, listings }: StationDays, day: Day): Source | undefined {
  const asked = daySetOf({ firstDay: day, endDay: addDays(day, 1) });
  return done.find(
    ({ source, days }) =>
      intersect(days, asked).length > 0 && fillableDays(asked, source, listings).length > 0,
  )?.source;
}

function* eachDay(days: DaySet): Generator<Day> {
  for (const { firstDay, endDay } of dayRangesOf(days))
    for (let day = firstDay; day < endDay; day = addDays(day, 1)) yield day;
}

function yearsOf({ firstDay, endDay }: DayRange): readonly number[] {
  const [first, last] = [firstDay, addDays(endDay, -1)].map((day) => Number(day.slice(0, 4))) as [
    number,
    number,
  ];
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}

function newYear(year: number): number {
  return Date.UTC(year, 0) / 1000;
}
