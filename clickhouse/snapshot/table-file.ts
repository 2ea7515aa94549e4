import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS } from '../archive.ts';
import { type DayRange, dayStart } from '../model/day.ts';
import { fromCurrentReports } from '../statements/current-reports.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { PARQUET } from './report-file.ts';

/** What a snapshot holds: the days of a range, for these stations or for all if none is named. */
export type SnapshotScope = DayRange & { readonly stations: readonly string[] };

/** The small tables that a snapshot holds, each as one file. */
export const SNAPSHOT_TABLES = ['slices', 'sightings', 'stations', 'station_descriptions'] as const;
export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number];

const SLICES = readStatement('snapshot_export/slices');
const CUT_SLICES = readStatement('snapshot_export/cut_slices');
const DAYS_OF_LISTED_STATIONS = readStatement('snapshot_export/days_of_listed_stations');
const STATEMENTS: Readonly<Record<SnapshotTable, string>> = {
  slices: fillSql(SLICES, { slices: CUT_SLICES }),
  sightings: readStatement('snapshot_export/sightings'),
  stations: readStatement('snapshot_export/stations'),
  station_descriptions: readStatement('snapshot_export/station_descriptions'),
};
const SLICES_OF_STATIONS = fillSql(SLICES, { slices: `${CUT_SLICES} UNION ALL ${DAYS_OF_LISTED_STATIONS}` });

/**
 * A table as the bytes of a Parquet file.
 *
 * @param lost rows of the ledger to leave out, by `sliceKey`
 */
export function openTableFile(
  client: Archive,
  table: SnapshotTable,
  scope: SnapshotScope,
  lost: readonly string[],
  signal: AbortSignal,
): Promise<Readable> {
  const settings = { ...PARQUET, ...AS_IT_RUNS };
  const params = { ...scope, ...(table === 'slices' && { lost }) };
  if (table === 'slices' && scope.stations.length > 0) {
    const selection = {
      stations: scope.stations,
      from: dayStart(scope.firstDay),
      to: dayStart(scope.endDay),
    };
    return client.stream({ ...fromCurrentReports(SLICES_OF_STATIONS, selection, params), settings }, signal);
  }
  return client.stream({ query: STATEMENTS[table], params, settings }, signal);
}
