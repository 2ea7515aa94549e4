import type { Archive } from '../archive.ts';
import { selectRow, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { type KnownStation, readKnownStations } from './known-stations.ts';

/** The archive in numbers. The number of reports includes replaced versions, a few percent at most. */
export type ArchiveSummary = {
  /** Stations with reports. */
  readonly stations: number;
  readonly reports: number;
  readonly firstYear: number;
  readonly lastYear: number;
  /** Seconds since 1970-01-01T00:00:00Z; null if there is no report, and the other values have no meaning. */
  readonly newestReport: number | null;
  /** One or two stations whose newest report is at most three days older than the newest overall. */
  readonly examples: readonly string[];
};

const SUMMARY = readStatement('stations/archive_summary');
const NEWEST_REPORTS = readStatement('stations/newest_reports');

/** Takes some milliseconds: it reads the coverage view, which has a row for each station and year. */
export function readArchiveSummary(archive: Archive, signal: AbortSignal): Promise<ArchiveSummary> {
  return selectRow(archive, { query: SUMMARY }, signal);
}

export type ListedStation = KnownStation & {
  /** Seconds since 1970-01-01T00:00:00Z. Absent if the archive holds no report of the station. */
  readonly newestReport?: number;
};

/** More than all sources list together: about 12,000. */
const MOST_STATIONS = 50_000;

/** Every station that the archive knows, in the order of the codes. */
export async function readStationList(
  archive: Archive,
  signal: AbortSignal,
): Promise<readonly ListedStation[]> {
  const [known, reports] = await Promise.all([
    readKnownStations(archive, {}, undefined, MOST_STATIONS, signal),
    selectRows<{ station: string; newest: number }>(archive, { query: NEWEST_REPORTS }, signal),
  ]);
  const newest = new Map(reports.map((row) => [row.station, row.newest]));
  return known.map((station) => {
    const newestReport = newest.get(station.station);
    return newestReport === undefined ? station : { ...station, newestReport };
  });
}
