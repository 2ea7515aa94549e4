import type { Archive } from '../archive.ts';
import { type RecordedSlice, SLICE_HISTORY } from '../coverage/ledger/ledger.ts';
import { inGroups } from '../group-by.ts';
import type { DayRange } from '../model/day.ts';
import { deleteRows } from '../observations/maintenance.ts';
import { structureOf } from '../schema.ts';
import { selectRow, selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { SnapshotTable } from './export-files.ts';

/** Which rows of a file the archive lacks. A listing without a period never replaces one that has a period. */
const IS_MISSING = {
  slices: `(source, station, toDate(firstDay), toDate(doneDay), toDate(endDay), reports, run, toDateTime(recordedAt, 'UTC'))
    NOT IN (SELECT source, station, firstDay, doneDay, endDay, reports, run, recordedAt FROM slices)`,
  stations: `(source, station, listedAt) NOT IN (SELECT source, station, listedAt FROM stations)
    AND (firstDay IS NOT NULL OR lastDay IS NOT NULL OR (source, station) NOT IN (SELECT source, station FROM stations))`,
  station_descriptions:
    '(station, source, fetchedAt) NOT IN (SELECT station, source, fetchedAt FROM station_descriptions)',
  hidden_reports:
    '(station, observedAt, fingerprint, at) NOT IN (SELECT station, observedAt, fingerprint, at FROM hidden_reports)',
};

const INSERT_TABLE_ROWS = readStatement('snapshot_import/insert_rows');
const INSERT_SIGHTINGS = readStatement('snapshot_import/insert_sightings');
const MISSING_SLICES = fillSql(readStatement('snapshot_import/missing_slices'), {
  isMissing: IS_MISSING.slices,
});
const SLICES_OF_FILE = fillSql(SLICE_HISTORY, { ledger: 'snapshot_file' });
const WITHOUT_PERIOD = readStatement('snapshot_import/listings_without_period');
const ROW_COUNT = readStatement('snapshot_import/row_count');

const LISTINGS_PER_DELETE = 500;

/** Counts the rows of a Parquet file as its footer states them. */
export async function countRowsOfFile(archive: Archive, bytes: Buffer): Promise<number> {
  const file = { name: 'snapshot_file', format: 'ParquetMetadata', structure: 'num_rows UInt64', bytes };
  return (await selectRow<{ rows: number }>(archive, { query: ROW_COUNT, file })).rows;
}

function over(table: SnapshotTable, bytes: Buffer, query: string, params = {}) {
  const file = { name: 'snapshot_file', format: 'Parquet', structure: structureOf(table), bytes };
  return { query, params, file };
}

/** Adds what the archive lacks of a table of a snapshot. Can be repeated. */
export async function insertTableFile(archive: Archive, table: SnapshotTable, bytes: Buffer): Promise<void> {
  if (table === 'stations') await deleteListingsWithoutPeriod(archive, bytes);
  const structure = structureOf(table).replaceAll("'", "\\'");
  const query =
    table === 'sightings'
      ? fillSql(INSERT_SIGHTINGS, { structure })
      : fillSql(INSERT_TABLE_ROWS, { table, structure, isMissing: IS_MISSING[table] });
  await archive.insertFile({ query }, bytes);
}

/** Before the insert: a merge could keep only the newer row. Until then the station counts as not listed. */
async function deleteListingsWithoutPeriod(archive: Archive, bytes: Buffer) {
  const statement = over('stations', bytes, WITHOUT_PERIOD);
  const rows = await selectRows<{ listing: string }>(archive, statement);
  const named = rows.map(({ listing }) => listing);
  const condition =
    "firstDay IS NULL AND lastDay IS NULL AND concat(source, ' ', station) IN {listings:Array(String)}";
  for (const listings of inGroups(named, LISTINGS_PER_DELETE))
    await deleteRows(archive, 'stations', condition, { listings });
}

/** Whether the archive has the whole ledger of a snapshot, as it does after a complete import. */
export async function hasAllSlices(archive: Archive, bytes: Buffer): Promise<boolean> {
  const statement = over('slices', bytes, MISSING_SLICES);
  return (await selectRow<{ missing: number }>(archive, statement)).missing === 0;
}

/** The rows of the ledger of a snapshot that begin in a range and make days done. */
export function readSlicesOfFile(
  archive: Archive,
  bytes: Buffer,
  range: DayRange,
): Promise<readonly RecordedSlice[]> {
  return selectRows(archive, over('slices', bytes, SLICES_OF_FILE, { stations: [], ...range }));
}
