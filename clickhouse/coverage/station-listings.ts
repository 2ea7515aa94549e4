import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { type Day, FIRST_DAY } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { namedStatement, POINT_READ, type RowOf, selectRows, withoutNulls } from '../statements/select.ts';

/** Names the slices over all stations, in place of a station. */
export const ALL_STATIONS = '*';

/** States that a source carries a station's reports. A listing without a date states no period of record (D37). */
export type Listing = {
  readonly source: Source;
  readonly station: string;
  readonly firstDay?: Day;
  /** Absent while the station still reports. */
  readonly lastDay?: Day;
  /** The UTC day on which the source stated this; set by the archive. */
  readonly listedDay?: Day;
};

/** Records listings. One without a period comes from reports alone and never replaces one that states a period. */
export async function recordListings(archive: Archive, listings: readonly Listing[]) {
  for (const [source, ofSource] of groupBy(listings, (listing) => listing.source)) {
    const withoutPeriod = ofSource.filter((listing) => !statesPeriod(listing)).map(({ station }) => station);
    const listed = await readListings(archive, { source, stations: withoutPeriod });
    const known = new Set(listed.map(({ station }) => station));
    const values = ofSource.filter((listing) => statesPeriod(listing) || !known.has(listing.station));
    if (values.length > 0) await archive.insert({ table: 'stations', rows: values });
  }
}

export function statesPeriod({ firstDay, lastDay }: Listing): boolean {
  return firstDay !== undefined || lastDay !== undefined;
}

export async function readListings(
  archive: Archive,
  { stations, source }: { readonly stations: readonly string[]; readonly source?: Source },
): Promise<readonly Listing[]> {
  if (stations.length === 0) return [];
  const sources = source === undefined ? [] : [source];
  const statement = namedStatement('coverage/station_listings', { stations, sources }, POINT_READ);
  return (await selectRows<RowOf<Listing>>(archive, statement)).map((row) => withoutNulls<Listing>(row));
}

/** `lastDay` is absent while the station still reports. */
export type PeriodOfRecord = { readonly firstDay: Day; readonly lastDay?: Day };

/** From the first to the last day that any source includes (D37); `undefined` if no source states a period. */
export function periodOfRecord(listings: readonly Listing[]): PeriodOfRecord | undefined {
  const stated = listings.filter(statesPeriod);
  if (stated.length === 0) return undefined;
  const firstDay = stated.map((listing) => listing.firstDay ?? FIRST_DAY).sort()[0] as Day;
  const lastDays = stated.map((listing) => listing.lastDay);
  const lastDay = lastDays.every((day) => day !== undefined) ? lastDays.sort().at(-1) : undefined;
  return { firstDay, ...(lastDay !== undefined && { lastDay }) };
}
