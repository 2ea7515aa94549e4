import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { type KnownStation, readKnownStations } from './known-stations.ts';

export type ListedStation = KnownStation & {
  /** Seconds since 1970-01-01T00:00:00Z. Absent if the archive holds no report of the station. */
  readonly newestReport?: number;
};

/** More than all sources list together: about 12,000. */
const MOST_STATIONS = 50_000;

const NEWEST_REPORTS = readStatement('stations/newest_reports');

/** Every station that the archive knows, in the order of the codes. */
export async function readStationList(
  archive: Archive,
  signal: AbortSignal,
): Promise<readonly ListedStation[]> {
  const [known, reports] = await Promise.all([
    readKnownStations(archive, {}, undefined, MOST_STATIONS, signal),
    selectRows<{ readonly station: string; readonly newest: number }>(
      archive,
      { query: NEWEST_REPORTS },
      signal,
    ),
  ]);
  const newest = new Map(reports.map((row) => [row.station, row.newest]));
  return known.map((station) => {
    const newestReport = newest.get(station.station);
    return newestReport === undefined ? station : { ...station, newestReport };
  });
}
