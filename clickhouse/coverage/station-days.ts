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
  openDays,
} from './rules.ts';
import { readCoverageStates } from './state.ts';
import { ALL_STATIONS, type Listing } from './station-listings.ts';

export async function readListedStations(archive: Archive): Promise<readonly string[]> {
  const rows = await selectRows<{ station: string }>(archive, namedStatement('coverage/listed_stations'));
  return rows.map(({ station }) => station);
}

const STATIONS_PER_READ = 500;

type StateOfStation = CoverageState & {
  readonly station: string;
  readonly worldDone: readonly DoneDays[];
};

async function* eachState(archive: Archive, stations: readonly string[]) {
  for (const some of inGroups(stations, STATIONS_PER_READ)) {
    const states = await readCoverageStates(archive, [...some, ALL_STATIONS]);
    const worldDone = states.get(ALL_STATIONS)?.done ?? [];
    for (const station of some) yield { station, worldDone, ...(states.get(station) ?? NO_COVERAGE) };
  }
}

/** The day-by-day coverage of one station, over the days of a range that are old enough. */
export type StationDays = DaysToHold & {
  readonly station: string;
  /** Empty if no source lists the code: no day is due then, and none is ever done (D13). */
  readonly listings: readonly Listing[];
  /** Due days that are done, by source, most days first. */
  readonly done: readonly DoneDays[];
  /** Due days of all years, in the range or not, that are done. */
  readonly everDone: DaySet;
  readonly reports: CoverageState['reports'];
  readonly reportDays: DaySet;
};

export async function* readStationDays(
  archive: Archive,
  stations: readonly string[],
  range: DayRange,
  now: Date,
): AsyncGenerator<StationDays> {
  const asked = daySetOf(range);
  for await (const { station, listings, done, worldDone, ...state } of eachState(archive, stations)) {
    const all = daysToHold(listings.length > 0 ? oldEnoughDays(now) : NO_DAYS, listings, done, worldDone);
    const [due, open] = [intersect(all.due, asked), intersect(all.open, asked)];
    yield {
      station,
      listings,
      due,
      open,
      done: doneBySource(due, listings, [...done, ...worldDone]),
      everDone: subtract(all.due, all.open),
      reports: state.reports,
      reportDays: state.reportDays,
    };
  }
}

function doneBySource(due: DaySet, listings: readonly Listing[], done: readonly DoneDays[]) {
  const listedBy = [...new Set(listings.map(({ source }) => source))];
  return listedBy
    .map((source) => ({ source, days: intersect(due, unite(ofSource(source, done))) }))
    .filter(({ days }) => days.length > 0)
    .toSorted((a, b) => countDays(b.days) - countDays(a.days));
}

export type DaysByStation = ReadonlyMap<string, readonly DayRange[]>;

/**
 * Days neither done in the source's own ledger nor outside the period of record that it states: each source can fill another's
 * gaps (D13). A station that the source does not list is asked for again until another source has done its days.
 */
export function readMissingDays(archive: Archive, { source, ...asked }: Scope & { readonly source: Source }) {
  return selectDays(archive, asked, (range, { station, listings, done, worldDone }) => {
    // No source lists `*`: its slices count on their own.
    if (station === ALL_STATIONS) return openDays(range, [{ source, station }], done);
    const own = ofSource(source, listings);
    if (own.length > 0) return openDays(range, own, done, worldDone);
    const notAsked = subtract(range, unite(ofSource(source, [...done, ...worldDone])));
    return unionOf([...notAsked, ...openDays(range, listings, done, worldDone)]);
  });
}

type LoadedSource = Lifetime & { readonly source: Source };

/** Days that no source has done (D13) and that one of these could have: in its lifetime and stated period. */
export function readRemainingDays(
  archive: Archive,
  { sources, ...asked }: Scope & { readonly sources: readonly LoadedSource[] },
): Promise<DaysByStation> {
  return selectDays(archive, asked, (range, { station, listings, done, worldDone }) => {
    const open =
      station === ALL_STATIONS ? subtract(range, unite(done)) : openDays(range, listings, done, worldDone);
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
