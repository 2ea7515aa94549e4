import type { Archive } from '../archive.ts';
import { countDays, type DayRange, type DaySet, daySetOf, intersect, unionOf } from '../model/day.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { type DaysToHold, type DoneDays, daysToHold, oldEnoughDays } from './rules.ts';
import { NO_COVERAGE, readCoverageStates } from './state/state.ts';
import { ALL_STATIONS, type Listing } from './station-listings.ts';

/** The day-by-day coverage of one station, over the days of a range that are old enough. */
export type StationDays = DaysToHold & {
  readonly station: string;
  /** Empty if no source lists the code: no day is due then, and none is ever done (D13). */
  readonly listings: readonly Listing[];
  /** Due days that are done, by source, most days first. */
  readonly done: readonly DoneDays[];
};

/** Stations read by one statement. */
const STATIONS_PER_READ = 500;

const LISTED_STATIONS = readStatement('coverage/listed_stations');

/** Every station that any source lists, in code order. */
export async function readListedStations(client: Archive, signal: AbortSignal): Promise<readonly string[]> {
  const rows = await selectRows<{ station: string }>(client, { query: LISTED_STATIONS }, signal);
  return rows.map(({ station }) => station);
}

/** The coverage of these stations, in their order, by the rules of the api. */
export async function* readStationDays(
  client: Archive,
  stations: readonly string[],
  range: DayRange,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<StationDays> {
  const asked = intersect(daySetOf(range), oldEnoughDays(now));
  for (let at = 0; at < stations.length; at += STATIONS_PER_READ) {
    const some = stations.slice(at, at + STATIONS_PER_READ);
    const states = await readCoverageStates(client, [...some, ALL_STATIONS], signal);
    const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
    for (const station of some) {
      const { listings, done } = states.get(station) ?? NO_COVERAGE;
      const { due, open } = daysToHold(asked, listings, done, world.done);
      yield { station, listings, due, open, done: doneBySource(due, listings, [...done, ...world.done]) };
    }
  }
}

function doneBySource(
  due: DaySet,
  listings: readonly Listing[],
  done: readonly DoneDays[],
): readonly DoneDays[] {
  const listedBy = [...new Set(listings.map(({ source }) => source))];
  return listedBy
    .map((source) => {
      const days = unionOf(done.filter((each) => each.source === source).flatMap((each) => each.days));
      return { source, days: intersect(due, days) };
    })
    .filter(({ days }) => days.length > 0)
    .toSorted((a, b) => countDays(b.days) - countDays(a.days));
}
