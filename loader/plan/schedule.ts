import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type DayRange, splitByYear } from '../../clickhouse/model/day-ranges.ts';
import type { Preference } from '../args/command.ts';

/** A part of a command that is planned and loaded before the next part. */
export type PlanChunk = { readonly stations: readonly string[]; readonly range: DayRange };

/** A few thousand slices, so that a plan of any size fits into memory. */
const MAX_STATIONS = 200;

/**
 * Splits a command into chunks, in the preferred order. All stations go year by year, because types are final for
 * years.
 */
export function* planChunks(
  stations: readonly string[],
  range: DayRange,
  { order, priority }: Preference,
): Generator<PlanChunk> {
  const preferred = new Set(priority);
  const first = stations.filter((station) => preferred.has(station));
  const others = stations.filter((station) => !preferred.has(station));
  const byYear = order !== undefined || stations.includes(ALL_STATIONS);
  const ranges = byYear ? splitByYear(range) : [range];
  if (order === 'newest') ranges.reverse();
  for (const group of [first, others])
    for (const each of ranges)
      for (let at = 0; at < group.length; at += MAX_STATIONS)
        yield { stations: group.slice(at, at + MAX_STATIONS), range: each };
}
