import type { Archive } from '../archive.ts';
import {
  type DayRange,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  type Lifetime,
  numberOfDay,
  subtract,
  unionOf,
} from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { dueDays, openDays } from './rules.ts';
import { type CoverageState, NO_COVERAGE, readCoverageStates } from './state/state.ts';
import { ALL_STATIONS, type Listing } from './station-listings.ts';

/** A range of stations, which are ICAO codes, or `*` for the slices over all stations. */
type AskedDays = DayRange & { readonly stations: readonly string[] };

/** Ranges in order, for the stations that have any. */
export type DaysByStation = ReadonlyMap<string, readonly DayRange[]>;

/**
 * The days of a range to request from one source: those neither done in its own ledger nor outside the period of record
 * that it states. Other sources do not count (D13: each source can fill another's gaps), except for a station that the
 * source does not list: its ledger cannot make those days done, so it is asked again until another source has done
 * them.
 */
export function readMissingDays(
  client: Archive,
  { source, ...asked }: AskedDays & { readonly source: Source },
  signal: AbortSignal,
): Promise<DaysByStation> {
  return readDays(client, asked, signal, (station, range, { listings, done }, world) => {
    // No source lists `*`: its slices count on their own.
    if (station === ALL_STATIONS) return openDays(range, [{ source, station }], done);
    const own = listingsOf(source, listings);
    if (own.length > 0) return openDays(range, own, done, world.done);
    const asked = [...done, ...world.done].filter((each) => each.source === source);
    const notAsked = subtract(range, unionOf(asked.flatMap(({ days }) => days)));
    return unionOf([...notAsked, ...openDays(range, listings, done, world.done)]);
  });
}

/** A source of a load. */
type LoadedSource = Lifetime & { readonly source: Source };

/**
 * The days of a range that no source has done (D13) and that one of these sources could have: in its lifetime and not
 * outside the period of record that it states.
 */
export function readRemainingDays(
  client: Archive,
  { sources, ...asked }: AskedDays & { readonly sources: readonly LoadedSource[] },
  signal: AbortSignal,
): Promise<DaysByStation> {
  return readDays(client, asked, signal, (station, range, { listings, done }, world) => {
    const open =
      station === ALL_STATIONS
        ? subtract(range, unionOf(done.flatMap(({ days }) => days)))
        : openDays(range, listings, done, world.done);
    return unionOf(sources.flatMap((each) => fillable(open, each, listings)));
  });
}

function fillable(open: DaySet, { source, ...lifetime }: LoadedSource, listings: readonly Listing[]): DaySet {
  return within(dueDays(open, listingsOf(source, listings)), lifetime);
}

/** The days of a set in a lifetime. */
export function within(days: DaySet, { firstDay, endDay }: Lifetime): DaySet {
  const first = firstDay === undefined ? Number.NEGATIVE_INFINITY : numberOfDay(firstDay);
  const end = endDay === undefined ? Number.POSITIVE_INFINITY : numberOfDay(endDay);
  return intersect(days, [{ first, end }]);
}

function listingsOf(source: Source, listings: readonly Listing[]): readonly Listing[] {
  return listings.filter((each) => each.source === source);
}

async function readDays(
  client: Archive,
  { stations, ...range }: AskedDays,
  signal: AbortSignal,
  daysOf: (station: string, range: DaySet, state: CoverageState, world: CoverageState) => DaySet,
): Promise<DaysByStation> {
  const states = await readCoverageStates(client, [...stations, ALL_STATIONS], signal);
  const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
  const found = new Map<string, readonly DayRange[]>();
  for (const station of stations) {
    const days = daysOf(station, daySetOf(range), states.get(station) ?? NO_COVERAGE, world);
    if (days.length > 0) found.set(station, dayRangesOf(days));
  }
  return found;
}
