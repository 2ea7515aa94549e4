import type { Archive } from '../archive.ts';
import type { ReportType, Source } from '../model/report.ts';
import { streamRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { BOUNDED } from './import-reports.ts';

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
const STRUCTURE =
  "station String, observedAt DateTime64(3, 'UTC'), type String, raw Nullable(String), source String";

/** Reads the records that the api has sent as Parquet, or a file of reports of a snapshot. */
export function readRecords(archive: Archive, bytes: Buffer): AsyncGenerator<readonly RecordRow[]> {
  const file = { name: 'record_file', format: 'Parquet', structure: STRUCTURE, bytes };
  return streamRows<RecordRow>(archive, { query: FILE_RECORDS, settings: BOUNDED, file });
}
