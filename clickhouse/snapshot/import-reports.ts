import type { Archive, StatementSettings } from '../archive.ts';
import { columnType, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { type Report, type ReportType, type Source, storedTextSql } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { selectRow, selectRows, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

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

/**
 * The fingerprint of most texts as SQL: the first 4 bytes of the SHA-256 of the text without its keyword and its end. A file
 * states a fingerprint only if it differs: it would be an eighth of the file.
 */
function usualFingerprint(raw: string): string {
  const report = `if(startsWith(${raw}, 'METAR ') OR startsWith(${raw}, 'SPECI '), substring(${raw}, 7), ${raw})`;
  return `reinterpretAsUInt32(reverse(substring(SHA256(substring(trimRight(${report}, '=$ '), 1, 200)), 1, 4)))`;
}

/** What a file states of the report `report` of an archive. */
export const STATED_FINGERPRINT = `nullIf(report.fingerprint, ${usualFingerprint('report.raw')})`;

const FINGERPRINT = `ifNull(file.fingerprint, ${usualFingerprint('file.raw')})`;
const FILLED = { storedKeys: readStatement('snapshot_import/stored_keys'), fingerprint: FINGERPRINT };
const TOTALS = fillSql(readStatement('snapshot_import/file_totals'), FILLED);
const TO_CHECK = fillSql(readStatement('snapshot_import/file_rows_to_check'), FILLED);
/** As ClickHouse reads the file: as stored, but a decimal as the Float64 that it is there. */
function typeInFile(column: FieldColumn): string {
  const { storedType } = column;
  return storedType === 'Decimal' || storedType === 'Temperature' ? 'Nullable(Float64)' : columnType(column);
}

const MONTHS_OF_FILE = readStatement('snapshot_import/file_months');

const KEY_COLUMNS =
  "station String, observedAt DateTime64(3, 'UTC'), type String, parseStatus String, raw String, source String, fingerprint Nullable(UInt32), version UInt32, decoder UInt16, counts String";
const FIELDS = [...FIELD_COLUMNS.values()];
const ALL_COLUMNS = `${KEY_COLUMNS}, ${FIELDS.map((column) => `${column.name} ${typeInFile(column)}`).join(', ')}`;

const VALUES = FIELDS.map((field) => `${insertedValue(field)} AS ${field.name}`).join(', ');

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
const INSERT = 'INSERT INTO $table FORMAT ArrowStream';

export function readMonthsOfFile(
  archive: Archive,
  file: ReportFileBytes,
): Promise<readonly { readonly station: string; readonly observedAt: number }[]> {
  return selectRows(archive, over(MONTHS_OF_FILE, KEY_COLUMNS, file));
}

const DECODED_FIELDS = `file.parseStatus = 'parsed' AS clean, file.decoder AS decoder, ${VALUES}`;
const TEXT = storedTextSql('file.raw', 'file.station', "toDateTime(file.observedAt, 'UTC')");
const MISSING = readStatement('snapshot_import/missing_reports');
const MISSING_DECODED = fillSql(MISSING, { ...FILLED, text: TEXT, fields: DECODED_FIELDS });
const MISSING_TO_DECODE = fillSql(MISSING, { ...FILLED, text: TEXT, fields: 'file.nil AS nil' });

/** A file of 127,000 reports needs a quarter of it, one of 250,000 more than all. */
const BOUNDED: StatementSettings = { max_memory_usage: '900000000', max_threads: 4 };

/** @param decoder the version whose fields are taken as they are */
export function readFileTotals(
  archive: Archive,
  file: ReportFileBytes,
  accepted: { readonly sources: readonly Source[]; readonly maxLength: number; readonly decoder: number },
): Promise<FileTotals> {
  return selectRow(archive, over(TOTALS, KEY_COLUMNS, file, accepted));
}

/** Reports whose file states a fingerprint, and those that the archive has in another form. */
export function readRowsToCheck(
  archive: Archive,
  file: ReportFileBytes,
): AsyncGenerator<readonly FileReport[]> {
  return streamRows<FileReport>(archive, over(TO_CHECK, KEY_COLUMNS, file));
}

/**
 * Both tables get one list of them, whatever other loaders write meanwhile.
 *
 * @param toDecode as not parsed and to be decoded, not with the fields of the file
 */
export async function insertMissingReports(
  archive: Archive,
  file: ReportFileBytes,
  toDecode: boolean,
): Promise<void> {
  const rows = await archive.select(over(toDecode ? MISSING_TO_DECODE : MISSING_DECODED, ALL_COLUMNS, file));
  for (const table of REPORT_TABLES)
    await archive.insertFile({ query: fillSql(INSERT, { table }), settings: OF_FILES }, rows);
}

function over(
  query: string,
  structure: string,
  { bytes, ...about }: ReportFileBytes,
  further: Readonly<Record<string, unknown>> = {},
) {
  const file = { name: 'snapshot_file', format: 'Parquet', structure, bytes };
  return { query, params: { ...about, ...further }, settings: BOUNDED, file };
}

/** A row of a Parquet file of records. What the file lacks is empty, a text `null`. */
export type RecordRow = {
  readonly station: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly observedAt: number;
  readonly type: ReportType | '';
  readonly raw: string | null;
  /** Only files of a snapshot have it. */
  readonly source: Source;
};

const FILE_RECORDS = readStatement('snapshot_import/file_records');
const RECORD_COLUMNS =
  "station String, observedAt DateTime64(3, 'UTC'), type String, raw Nullable(String), source String";

/** Reads the records that the api has sent as Parquet, or a file of reports of a snapshot. */
export function readRecords(archive: Archive, bytes: Buffer): AsyncGenerator<readonly RecordRow[]> {
  const file = { name: 'record_file', format: 'Parquet', structure: RECORD_COLUMNS, bytes };
  return streamRows<RecordRow>(archive, { query: FILE_RECORDS, settings: BOUNDED, file });
}
