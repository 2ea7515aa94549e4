import type { Archive, StatementSettings } from '../archive.ts';
import { columnType, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { type Report, type Source, storedTextSql } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { selectRow, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** A file of reports in memory, and what it says it holds: the window is its calendar year. */
export type ReportFileBytes = TimeWindow & {
  readonly bytes: Buffer;
  readonly firstStation: string;
  readonly lastStation: string;
};

type FileTotals = {
  /** Rows that cannot be reports, do not belong in the file, or repeat another one. */
  readonly malformed: number;
  readonly oldestDecoder: number;
  /** Reports that the archive lacks. */
  readonly missing: number;
  /** Rows that the archive has for these stations and this year. */
  readonly stored: number;
};

export type RowToCheck = Omit<Report, 'decoded'> & {
  /** The archive has the report with another text, source or type. */
  readonly isOther: boolean;
  /** The decoded and derived fields by name, as in the file. */
  readonly [field: string]: unknown;
};

/**
 * The fingerprint of most texts, as SQL over `raw`: the first 4 bytes of the SHA-256 of the text without its keyword
 * and its end. A file states a fingerprint only if it differs: it would be an eighth of the file and cannot be
 * compressed.
 */
function usualFingerprint(raw: string): string {
  const report = `if(startsWith(${raw}, 'METAR ') OR startsWith(${raw}, 'SPECI '), substring(${raw}, 7), ${raw})`;
  return `reinterpretAsUInt32(reverse(substring(SHA256(substring(trimRight(${report}, '=$ '), 1, 200)), 1, 4)))`;
}

/** What a file states of the report `report` of an archive. */
export const STATED_FINGERPRINT = `nullIf(report.fingerprint, ${usualFingerprint('report.raw')})`;

function fingerprintOf(row: string): string {
  return `ifNull(${row}.fingerprint, ${usualFingerprint(`${row}.raw`)})`;
}

const KEYS = readStatement('snapshot_import/stored_keys');
const TOTALS = fillSql(readStatement('snapshot_import/file_totals'), {
  storedKeys: KEYS,
  fingerprint: fingerprintOf('snapshot_file'),
});
const TO_CHECK = fillSql(readStatement('snapshot_import/file_rows_to_check'), {
  storedKeys: KEYS,
  fingerprint: fingerprintOf('snapshot_file'),
  fields: [...FIELD_COLUMNS.keys()].map((name) => `snapshot_file.${name} AS ${name}`).join(', '),
});
/** Rows of a file whose decoded fields are compared with their texts. */
const SAMPLE_ROWS = 1000;

/** As ClickHouse reads the file: as stored, but a decimal as the Float64 that it is there. */
function typeInFile(column: FieldColumn): string {
  const { storedType } = column;
  return storedType === 'Decimal' || storedType === 'Temperature' ? 'Nullable(Float64)' : columnType(column);
}

const KEY_COLUMNS =
  "station String, observedAt DateTime64(3, 'UTC'), type String, parseStatus String, raw String, source String, fingerprint Nullable(UInt32), decoder UInt16, counts String";
const FIELDS = [...FIELD_COLUMNS.values()];
const ALL_COLUMNS = `${KEY_COLUMNS}, ${FIELDS.map((column) => `${column.name} ${typeInFile(column)}`).join(', ')}`;

const INSERTS = REPORT_TABLES.map((table) =>
  fillSql(readStatement('snapshot_import/insert_reports'), {
    table,
    storedKeys: KEYS,
    fingerprint: fingerprintOf('file'),
    text: storedTextSql('file.raw', 'file.station', "toDateTime(file.observedAt, 'UTC')"),
    structure: ALL_COLUMNS.replaceAll("'", "\\'"),
    names: FIELDS.map(({ name }) => name).join(', '),
    values: FIELDS.map(insertedValue).join(', '),
  }),
);

function insertedValue({ name, storedType }: FieldColumn): string {
  const value = `file.${name}`;
  if (storedType === 'Decimal') return `CAST(round(${value} * 10) AS Nullable(Decimal(9, 1))) / 10`;
  if (storedType !== 'Temperature') return value;
  const hundredths = `if(${value} = 0 AND 1 / ${value} < 0, -5, round(${value} * 100))`;
  return `CAST(${hundredths} AS Nullable(Decimal(9, 2))) / 100`;
}

/** A file of 127,000 reports needs a quarter of it, one of 250,000 more than all; one crafted to need more fails. */
export const BOUNDED: StatementSettings = { max_memory_usage: '900000000', max_threads: 4 };

/** Rows of one part: a block is in memory twice, as received and in the order of the table. */
const BLOCK_BYTES = 64 * 1024 * 1024;

export function readFileTotals(archive: Archive, file: ReportFileBytes): Promise<FileTotals> {
  return selectRow(archive, over(TOTALS, KEY_COLUMNS, file));
}

/**
 * Most reports of a snapshot need no check: see `file_rows_to_check`.
 *
 * @param about `rows` of the file; `isMerged`: the archive has reports of these stations and this year
 */
export function readRowsToCheck(
  archive: Archive,
  file: ReportFileBytes,
  { rows, isMerged }: { readonly rows: number; readonly isMerged: boolean },
): AsyncGenerator<readonly RowToCheck[]> {
  const statement = over(TO_CHECK, ALL_COLUMNS, file);
  const params = { ...statement.params, isMerged, sampledEach: Math.ceil(rows / SAMPLE_ROWS) };
  // JSON has no NaN: as text it differs from every decoded value.
  const settings = { ...statement.settings, output_format_json_quote_denormals: 1 as const };
  return streamRows<RowToCheck>(archive, { ...statement, params, settings });
}

/**
 * Inserts the reports that the archive lacks into both tables, one after the other: `station_observations` says what is lacking.
 *
 * @param versions of a new row, by source
 * @param decodeAgain mark them to be decoded again; none counts as parsed until then
 */
export async function insertReportFile(
  archive: Archive,
  file: ReportFileBytes,
  versions: ReadonlyMap<Source, number>,
  decodeAgain: boolean,
): Promise<void> {
  const { bytes, ...window } = file;
  const params = {
    ...window,
    decodeAgain,
    sources: [...versions.keys()],
    versions: [...versions.values()],
  };
  const settings: StatementSettings = {
    ...BOUNDED,
    optimize_on_insert: 0,
    min_insert_block_size_bytes: String(BLOCK_BYTES),
  };
  for (const query of INSERTS) await archive.insertFile({ query, params, settings }, bytes);
}

function over(query: string, structure: string, { bytes, ...params }: ReportFileBytes) {
  const file = { name: 'snapshot_file', format: 'Parquet', structure, bytes };
  return { query, params, settings: BOUNDED, file };
}
