import { readQuery } from './query.ts';

const LIVE_OF_ALL = readQuery('live_of_all');
const LIVE_OF_STATIONS = readQuery('live_of_stations');

/** Which reports are meant: of these stations, of all where none is named, in `[from, to)`. */
export type Selection = {
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

/** A query that says `FROM $live`, over the reports of a selection as they stand; it takes the selection as parameters. */
export function overLive(query: string, { stations }: Selection): string {
  return query.replace('$live', () => `(${stations.length === 0 ? LIVE_OF_ALL : LIVE_OF_STATIONS})`);
}
