import type { Archive, StatementSettings } from '../archive.ts';
import {
  insertHoursOf,
  type ObservedHour,
  type RecordedSlice,
  SLICE_HISTORY,
} from '../coverage/ledger/ledger.ts';
import { inGroups } from '../group-by.ts';
import type { DayRange } from '../model/day.ts';
import { columnType, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { type Report, type Source, storedTextSql } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { deleteRows } from '../observations/maintenance.ts';
import { structureOf } from '../schema.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { namedStatement, selectRow, selectRows, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type SnapshotTable, usualFingerprint } from './export-files.ts';

/** A file of reports in memory, and what it says it holds: the window is its calendar year. */
export type ReportFileBytes = TimeWindow & {
  readonly bytes: Buffer;
  readonly firstStation: string;
  readonly lastStation: string;
};

type FileTotals = {
  /** A row that a load would refuse, and why; empty where there is none. */
  readonly refused: string;
  /** Rows with the id of another one, as early exports could have: the archive would serve them twice. */
  readonly repeated: number;
  /** Reports that the archive lacks. */
  readonly missing: number;
  /** Reports that another decoder has read. */
  readonly toDecode: number;
  /** Rows that the archive has for these stations and this year. */
  readonly stored: number;
};

export type FileReport = Pick<
  Report,
  'station' | 'observedAt' | 'type' | 'fingerprint' | 'raw' | 'source'
> & {
  /** The archive has the report with another text, source or type. */
  readonly isOther: boolean;
};

const FILLED = {
  storedKeys: readStatement('snapshot_import/stored_keys'),
  fingerprint: `ifNull(file.fingerprint, ${usualFingerprint('file.raw')})`,
};
const TOTALS = fillSql(readStatement('snapshot_import/file_totals'), FILLED);
const TO_CHECK = fillSql(readStatement('snapshot_import/file_rows_to_check'), FILLED);
const MONTHS_OF_FILE = readStatement('snapshot_import/file_months');

/** The type of a column in the file: as in the table, but a Decimal is a Float64 in files. */
function typeInFile(column: FieldColumn): string {
  const { storedType } = column;
  return storedType === 'Decimal' || storedType === 'Temperature' ? 'Nullable(Float64)' : columnType(column);
}

const KEY_COLUMNS =
  "station String, observedAt DateTime64(3, 'UTC'), type String, parseStatus String, raw String, source String, fingerprint Nullable(UInt32), version UInt32, decoder UInt16, counts String";
const FIELDS = [...FIELD_COLUMNS.values()];
const ALL_COLUMNS = `${KEY_COLUMNS}, ${FIELDS.map((column) => `${column.name} ${typeInFile(column)}`).join(', ')}`;

function insertedValue({ name, storedType }: FieldColumn): string {
  const value = `file.${name}`;
  if (storedType === 'Decimal') return `CAST(round(${value} * 10) AS Nullable(Decimal(9, 1))) / 10`;
  if (storedType !== 'Temperature') return value;
  const hundredths = `if(${value} = 0 AND 1 / ${value} < 0, -5, round(${value} * 100))`;
  return `CAST(${hundredths} AS Nullable(Decimal(9, 2))) / 100`;
}

const OF_FILES: StatementSettings = {
  optimize_on_insert: 0,
  materialize_skip_indexes_on_insert: 0,
  // Rows of one part: a block is in memory twice, as received and in the order of the table.
  min_insert_block_size_bytes: String(64 * 1024 * 1024),
};

const DECODED_FIELDS = [
  "file.parseStatus = 'parsed' AS clean, file.decoder AS decoder",
  ...FIELDS.map((field) => `${insertedValue(field)} AS ${field.name}`),
].join(', ');
const TEXT = storedTextSql('file.raw', 'file.station', "toDateTime(file.observedAt, 'UTC')");
const MISSING = readStatement('snapshot_import/missing_reports');

export function readMonthsOfFile(archive: Archive, file: ReportFileBytes): Promise<readonly ObservedHour[]> {
  return selectRows(archive, ofReports(MONTHS_OF_FILE, KEY_COLUMNS, file));
}

/** A file of 127,000 reports needs a quarter of this memory, a file of 250,000 reports more than all of it. */
const BOUNDED: StatementSettings = { max_memory_usage: '900000000', max_threads: 4 };

/** @param decoder the version whose fields are taken as they are */
export function readFileTotals(
  archive: Archive,
  file: ReportFileBytes,
  accepted: { readonly sources: readonly Source[]; readonly maxLength: number; readonly decoder: number },
): Promise<FileTotals> {
  return selectRow(archive, ofReports(TOTALS, KEY_COLUMNS, file, accepted));
}

/** Reports whose file states a fingerprint, and those that the archive has in another form. */
export function readRowsToCheck(archive: Archive, file: ReportFileBytes) {
  return streamRows<FileReport>(archive, ofReports(TO_CHECK, KEY_COLUMNS, file));
}

/**
 * Adds the reports that the archive lacks. Both tables get the same reports, even if other loaders write meanwhile.
 *
 * @param toDecode whether to store them as not parsed, to be decoded later, in place of the fields in the file
 */
export async function insertMissingReports(archive: Archive, file: ReportFileBytes, toDecode: boolean) {
  const fields = toDecode ? 'file.nil AS nil' : DECODED_FIELDS;
  const query = fillSql(MISSING, { ...FILLED, text: TEXT, fields });
  const rows = await archive.select(ofReports(query, ALL_COLUMNS, file));
  for (const table of REPORT_TABLES)
    await archive.insertFile({ query: `INSERT INTO ${table} FORMAT ArrowStream`, settings: OF_FILES }, rows);
}

function ofReports(query: string, structure: string, { bytes, ...about }: ReportFileBytes, further = {}) {
  return { ...over(query, structure, bytes, { ...about, ...further }), settings: BOUNDED };
}

/** A statement over a Parquet file in memory. */
function over(query: string, structure: string, bytes: Buffer, params = {}) {
  const file = { name: 'imported_file', format: 'Parquet', structure, bytes };
  return { query, params, file };
}

/** A row of a Parquet file of records. Values that the file lacks are empty; a missing text is `null`. */
type RecordRow = {
  readonly station: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly observedAt: number;
  readonly type: string;
  readonly raw: string | null;
  /** Only files of a snapshot have it. */
  readonly source: Source;
};

const FILE_RECORDS = readStatement('snapshot_import/file_records');
const RECORD_COLUMNS =
  "station String, observedAt DateTime64(3, 'UTC'), type String, raw Nullable(String), source String";

/** Reads the records that the api has sent as Parquet, or a file of reports of a snapshot. */
export function readRecords(archive: Archive, bytes: Buffer): AsyncGenerator<readonly RecordRow[]> {
  return streamRows(archive, { ...over(FILE_RECORDS, RECORD_COLUMNS, bytes), settings: BOUNDED });
}

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
const INSERT_SIGHTINGS = insertHoursOf(readStatement('snapshot_import/sightings'), 'Parquet');
const MISSING_SLICES = fillSql(readStatement('snapshot_import/missing_slices'), {
  isMissing: IS_MISSING.slices,
});
const SLICES_OF_FILE = fillSql(SLICE_HISTORY, { ledger: 'imported_file' });
const WITHOUT_PERIOD = readStatement('snapshot_import/listings_without_period');

const LISTINGS_PER_DELETE = 500;

/** Counts the rows of a Parquet file as its footer states them. */
export async function countRowsOfFile(archive: Archive, bytes: Buffer): Promise<number> {
  const file = { name: 'imported_file', format: 'ParquetMetadata', structure: 'num_rows UInt64', bytes };
  const statement = { ...namedStatement('snapshot_import/row_count'), file };
  return (await selectRow<{ rows: number }>(archive, statement)).rows;
}

/** Adds what the archive lacks of a table of a snapshot. Can be repeated. */
export async function insertTableFile(archive: Archive, table: SnapshotTable, bytes: Buffer): Promise<void> {
  if (table === 'stations') await deleteListingsWithoutPeriod(archive, bytes);
  const structure = structureOf(table).replaceAll("'", "\\'");
  const query =
    table === 'sightings'
      ? INSERT_SIGHTINGS
      : fillSql(INSERT_TABLE_ROWS, { table, structure, isMissing: IS_MISSING[table] });
  await archive.insertFile({ query }, bytes);
}

/** Before the insert: a merge could keep only the newer row. Until then the station counts as not listed. */
async function deleteListingsWithoutPeriod(archive: Archive, bytes: Buffer) {
  const statement = over(WITHOUT_PERIOD, structureOf('stations'), bytes);
  const rows = await selectRows<{ listing: string }>(archive, statement);
  const withoutPeriod = rows.map(({ listing }) => listing);
  const condition =
    "firstDay IS NULL AND lastDay IS NULL AND concat(source, ' ', station) IN {listings:Array(String)}";
  for (const listings of inGroups(withoutPeriod, LISTINGS_PER_DELETE))
    await deleteRows(archive, 'stations', condition, { listings });
}

/** Whether the archive has the whole ledger of a snapshot, as it does after a complete import. */
export async function hasAllSlices(archive: Archive, bytes: Buffer): Promise<boolean> {
  const statement = over(MISSING_SLICES, structureOf('slices'), bytes);
  return (await selectRow<{ missing: number }>(archive, statement)).missing === 0;
}

/** The rows of the ledger of a snapshot that begin in a range and make days done. */
export function readSlicesOfFile(archive: Archive, bytes: Buffer, range: DayRange) {
  const statement = over(SLICES_OF_FILE, structureOf('slices'), bytes, { stations: [], ...range });
  return selectRows<RecordedSlice>(archive, statement);
}
