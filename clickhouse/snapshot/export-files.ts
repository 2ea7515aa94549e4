import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS, type StatementSettings } from '../archive.ts';
import { DERIVED_COLUMNS } from '../model/field-columns.ts';
import { type Scope, windowOfDays } from '../model/time-window.ts';
import { recordColumns, TYPED } from '../observations/record-columns.ts';
import { fromCurrentReports, type ReportSelection } from '../statements/current-reports.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/**
 * The columns of a stream with raw and decoded fields, and others that an archive needs. `id` is left out, because it would be a
 * fifth of the file and follows from station, time and fingerprint. Derived fields are as stored.
 */
const FILE_COLUMNS: readonly string[] = [
  ...recordColumns({ raw: true, decoded: true }, TYPED).filter((column) => !/ AS id$/.test(column)),
  ...DERIVED_COLUMNS.map(
    ({ name, storedType, unit }) => `${TYPED.value({ type: storedType, unit }, `report.${name}`)} AS ${name}`,
  ),
  "CAST(report.source, 'String') AS source",
  `toInt64(nullIf(report.fingerprint, ${usualFingerprint('report.raw')})) AS fingerprint`,
  'toInt64(report.version) AS version',
  'toInt32(report.decoder) AS decoder',
  "CAST(report.counts, 'String') AS counts",
];

/**
 * The fingerprint of most texts as SQL: the first 4 bytes of the SHA-256 of the text without its keyword and its end. A file
 * states a fingerprint only if it differs: it would be an eighth of the file.
 */
export function usualFingerprint(raw: string): string {
  const report = `if(startsWith(${raw}, 'METAR ') OR startsWith(${raw}, 'SPECI '), substring(${raw}, 7), ${raw})`;
  return `reinterpretAsUInt32(reverse(substring(SHA256(substring(trimRight(${report}, '=$ '), 1, 200)), 1, 4)))`;
}

/** Reports per row group: a reader of one station skips the other groups. */
const ROW_GROUP = 50_000;
/** Strings that differ in each row take fewer bytes without a dictionary. */
const DICTIONARY_BYTES = 16_384;

const PARQUET: StatementSettings = {
  output_format_parquet_compression_method: 'zstd',
  // Level 9 makes no file smaller and takes a third more time.
  output_format_compression_level: '8',
  output_format_parquet_row_group_size: String(ROW_GROUP),
  output_format_parquet_max_dictionary_size: String(DICTIONARY_BYTES),
  output_format_parquet_write_bloom_filter: 0,
  // Station and time have one page per row group, so a page index would skip none. The manifest has a SHA-256.
  output_format_parquet_write_page_index: 0,
  output_format_parquet_write_checksums: 0,
  ...AS_IT_RUNS,
};

/** Part of the state of a file: it changes if files of the same reports would have other columns. */
export const COLUMNS_OF_REPORTS = FILE_COLUMNS.join(', ');

const SELECT_REPORTS = readStatement('snapshot_export/reports').replace(
  '$columns',
  FILE_COLUMNS.join(',\n    '),
);

/** The current reports of a selection, which names its stations, as the bytes of a Parquet file: sorted by station. */
export function openReportFile(archive: Archive, selection: ReportSelection): Promise<Readable> {
  const statement = fromCurrentReports(SELECT_REPORTS, selection);
  return archive.stream({ ...statement, settings: PARQUET });
}

/** In the order of an export; an import takes the ledger last. */
export const SNAPSHOT_TABLES = [
  'slices',
  'sightings',
  'stations',
  'station_descriptions',
  'hidden_reports',
] as const;
export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number];

const CUT_SLICES = readStatement('snapshot_export/cut_slices');
const DAYS_OF_LISTED_STATIONS = readStatement('snapshot_export/days_of_listed_stations');

/** @param lost rows of the ledger to leave out, by `sliceKey` */
export function openTableFile(archive: Archive, table: SnapshotTable, scope: Scope, lost: readonly string[]) {
  const params = { ...scope, ...(table === 'slices' && { lost }) };
  const isOfStations = table === 'slices' && scope.stations.length > 0;
  const slices = isOfStations ? `${CUT_SLICES} UNION ALL ${DAYS_OF_LISTED_STATIONS}` : CUT_SLICES;
  const statement = readStatement(`snapshot_export/${table}`);
  const query = table === 'slices' ? fillSql(statement, { slices }) : statement;
  const selection = { stations: scope.stations, ...windowOfDays(scope) };
  const filled = isOfStations ? fromCurrentReports(query, selection, params) : { query, params };
  return archive.stream({ ...filled, settings: PARQUET });
}

type StationState = {
  readonly station: string;
  readonly reports: number;
  /** Changes when a report is added or replaced. */
  readonly checksum: string;
};

const STATES = readStatement('snapshot_export/station_states');

export async function readStationStates(archive: Archive, selection: ReportSelection) {
  return selectRows<StationState>(archive, fromCurrentReports(STATES, selection));
}
