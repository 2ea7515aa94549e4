import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS, type StatementSettings } from '../archive.ts';
import { DERIVED_COLUMNS, FIELD_COLUMNS } from '../model/field-columns.ts';
import { typedColumns, typedValue } from '../observations/record-columns.ts';
import { highestVersions, IN_WINDOW, type ReportSelection } from '../statements/current-reports.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { STATED_FINGERPRINT } from './stated-fingerprint.ts';

const REPORTS = readStatement('observations/reports');

/**
 * The columns of a file of reports: those of a stream with raw and decoded fields, and what an archive needs in
 * addition. `id` is left out, because it would be a fifth of the file; station, time and fingerprint form it. Derived
 * fields are as stored.
 */
const COLUMNS: readonly string[] = [
  ...typedColumns({ raw: true, decoded: true }).filter((column) => !/ AS id$/.test(column)),
  ...DERIVED_COLUMNS.map(({ name, storedType }) => `${typedValue(storedType, `report.${name}`)} AS ${name}`),
  "CAST(report.source, 'String') AS source",
  `${STATED_FINGERPRINT} AS fingerprint`,
  'report.decoder AS decoder',
];

/** Reports per row group: a reader of one station skips the other groups. */
const ROW_GROUP = 50_000;
/** Strings that differ in each row take fewer bytes without a dictionary. */
const DICTIONARY_BYTES = 16_384;

/** How every file of a snapshot is written. */
export const PARQUET: StatementSettings = {
  output_format_parquet_compression_method: 'zstd',
  // Level 9 makes no file smaller and takes a third more time.
  output_format_compression_level: '8',
  output_format_parquet_row_group_size: String(ROW_GROUP),
  output_format_parquet_max_dictionary_size: String(DICTIONARY_BYTES),
  output_format_parquet_write_bloom_filter: 0,
  // Station and time have one page per row group, so a page index would skip none. The manifest has a SHA-256.
  output_format_parquet_write_page_index: 0,
  output_format_parquet_write_checksums: 0,
};

/** Differs if files of the same reports would have other columns. */
export const COLUMNS_OF_REPORTS = COLUMNS.join(', ');

/** The current reports of a selection, which names its stations, as the bytes of a Parquet file: sorted by station. */
export function openReportFile(
  client: Archive,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<Readable> {
  const versions = highestVersions({
    order: 'byStation',
    selected: `station IN {stations:Array(String)} AND ${IN_WINDOW}`,
    columns: ['source', 'raw', 'clean', 'decoder', ...FIELD_COLUMNS.keys()],
  });
  const query = fillSql(REPORTS, {
    columns: COLUMNS.join(',\n    '),
    reports: `(${versions}) AS report WHERE NOT report.retracted`,
    limit: '',
    format: 'Parquet',
  });
  const settings = { ...PARQUET, ...AS_IT_RUNS };
  return client.stream({ query, params: selection, ofStations: true, settings }, signal);
}
