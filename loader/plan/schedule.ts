import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { calendarYears, type Range } from './slices.ts';

export const ORDERS = ['newest', 'oldest'] as const;
export type Order = (typeof ORDERS)[number];

export type Preference = {
  /** Which years of all stations come first; `undefined`: station by station. */
  readonly order: Order | undefined;
  /** Stations that come before all others. */
  readonly priority: readonly string[];
};

/** What is planned at once. */
export type PlanChunk = { readonly stations: readonly string[]; readonly range: Range };

/** A few thousand slices: the plan of a run of any size needs no more memory. */
const STATIONS_AT_ONCE = 200;

/** Cuts a command into turns, in the order in which they are wanted; days of the world always go year by year. */
export function* planChunks(
  stations: readonly string[],
  range: Range,
  { order, priority }: Preference,
): Generator<PlanChunk> {
  const wanted = new Set(priority);
  const first = stations.filter((station) => wanted.has(station));
  const byYear = order !== undefined || stations.includes(ALL_STATIONS);
  const years = byYear ? calendarYears(range) : [range];
  if (order === 'newest') years.reverse();
  for (const group of [first, stations.filter((station) => !wanted.has(station))])
    for (const year of years)
      for (let at = 0; at < group.length; at += STATIONS_AT_ONCE)
        yield { stations: group.slice(at, at + STATIONS_AT_ONCE), range: year };
}
