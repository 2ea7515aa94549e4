import { groupBy } from '../../../clickhouse/group-by.ts';
import type { StationDescription } from '../../../clickhouse/stations.ts';
import { InvalidResponseError, type StationList } from '../source.ts';

/** A station under one of its ids: it keeps its ICAO code when it moves, and gets another id. */
export type StationId = {
  /** ICAO code. */
  readonly station: string;
  readonly id: string;
  readonly description: StationDescription;
};

/**
 * What a list says of its stations.
 *
 * @param found the rows of the list
 * @param ids gets them by station, in place of those of an earlier list
 * @param described the id whose description counts
 */
export function directoryOf<Id extends StationId>(
  source: 'ncei' | 'ghcnh',
  found: readonly Id[],
  ids: Map<string, readonly Id[]>,
  described: (id: Id, other: Id) => Id,
): StationList {
  if (found.length === 0) throw new InvalidResponseError('a list without stations');
  ids.clear();
  for (const [station, some] of groupBy(found, (each) => each.station)) ids.set(station, some);
  return {
    listings: [...ids.keys()].map((station) => ({ source, station })),
    descriptions: [...ids.values()].map((some) => some.reduce(described).description),
  };
}
