import type { Archive } from '../archive.ts';
import { inGroups } from '../group-by.ts';
import {
  countDays,
  type DayRange,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  type Lifetime,
  NO_DAYS,
  subtract,
  unionOf,
  within,
} from '../model/day.ts';
import type { Source } from '../model/report.ts';
import type { Scope } from '../model/time-window.ts';
import { namedStatement, selectRows } from '../statements/select.ts';
import {
  type CoverageState,
  type DaysToHold,
  type DoneDays,
  daysToHold,
  dueDays,
  NO_COVERAGE,
  oldEnoughDays,
} from './rules.ts';
import { readCoverageStates } from './state.ts';
import { ALL_STATIONS, type Listing } from './station-listings.ts';

export async function readListedStations(archive: Archive): Promise<readonly string[]> {
  const rows = await selectRows<{ station: string }>(archive, namedStatement('coverage/listed_stations'));
  return rows.map(({ station }) => station);
}

const STATIONS_PER_READ = 500;

/** `done` includes the days of the slices over all stations. */
type StateOfStation = CoverageState & { readonly station: string };

async function* eachState(archive: Archive, stations: readonly string[]): AsyncGenerator<StateOfStation> {
  for (const some of inGroups(stations, STATIONS_PER_READ)) {
    const states = await readCoverageStates(archive, [...some, ALL_STATIONS]);
    const ofAll = states.get(ALL_STATIONS)?.done ?? [];
    for (const station of some) {
      const state = states.get(station) ?? NO_COVERAGE;
      yield { station, ...state, done: [...state.done, ...ofAll] };
    }
  }
}

/** The day-by-day coverage of one station, over the days of a range that are old enough. */
export type StationDays = DaysToHold &
  Pick<StateOfStation, 'station' | 'reports' | 'reportDays'> & {
    /** Empty if no source lists the code: no day is due then, and none is ever done (D13). */
    readonly listings: readonly Listing[];
    /** Due days that are done, by source, most days first. */
    readonly done: readonly DoneDays[];
    /** Due days of all years, in the range or not, that are done. */
    readonly everDone: DaySet;
  };

export async function* readStationDays(
  archive: Archive,
  stations: readonly string[],
  range: DayRange,
  now: Date,
): AsyncGenerator<StationDays> {
  const asked = daySetOf(range);
  for await (const { listings, done, ...state } of eachState(archive, stations)) {
    const all = daysToHold(listings.length > 0 ? oldEnoughDays(now) : NO_DAYS, listings, done);
    const [due, open] = [intersect(all.due, asked), intersect(all.open, asked)];
    const everDone = subtract(all.due, all.open);
    yield { ...state, listings, due, open, done: doneBySource(due, listings, done), everDone };
  }
}

function doneBySource(due: DaySet, listings: readonly Listing[], done: readonly DoneDays[]) {
  return listings
    .map(({ source }) => ({ source, days: intersect(due, unite(ofSource(source, done))) }))
    .filter(({ days }) => days.length > 0)
    .toSorted((a, b) => countDays(b.days) - countDays(a.days));
}

export type DaysByStation = ReadonlyMap<string, readonly DayRange[]>;

/**
 * Days neither done in the source's own ledger nor outside the period of record that it states: each source can fill another's
 * gaps (D13). A station that the source does not list is asked for again until another source has done its days.
 */
export function readMissingDays(archive: Archive, { source, ...asked }: Scope & { readonly source: Source }) {
  return selectDays(archive, asked, (range, { station, listings, done }) => {
    // No source lists `*`: its slices count on their own.
    const own = station === ALL_STATIONS ? [{ source, station }] : ofSource(source, listings);
    if (own.length > 0) return daysToHold(range, own, done).open;
    const notAsked = subtract(range, unite(ofSource(source, done)));
    return unionOf([...notAsked, ...daysToHold(range, listings, done).open]);
  });
}

type LoadedSource = Lifetime & { readonly source: Source };

/** Days that no source has done (D13) and that one of these could have: in its lifetime and stated period. */
export function readRemainingDays(
  archive: Archive,
  { sources, ...asked }: Scope & { readonly sources: readonly LoadedSource[] },
): Promise<DaysByStation> {
  return selectDays(archive, asked, (range, { station, listings, done }) => {
    const open =
      station === ALL_STATIONS ? subtract(range, unite(done)) : daysToHold(range, listings, done).open;
    return unionOf(
      sources.flatMap(({ source, ...lifetime }) =>
        within(dueDays(open, ofSource(source, listings)), lifetime),
      ),
    );
  });
}

async function selectDays(
  archive: Archive,
  { stations, ...range }: Scope,
  select: (range: DaySet, state: StateOfStation) => DaySet,
): Promise<DaysByStation> {
  const found = new Map<string, readonly DayRange[]>();
  for await (const state of eachState(archive, stations)) {
    const days = select(daySetOf(range), state);
    if (days.length > 0) found.set(state.station, dayRangesOf(days));
  }
  return found;
}

function ofSource<T extends { readonly source: Source }>(source: Source, all: readonly T[]): readonly T[] {
  return all.filter((each) => each.source === source);
}

function unite(done: readonly DoneDays[]): DaySet {
  return unionOf(done.flatMap(({ days }) => days));
}
