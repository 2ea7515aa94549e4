import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

const COUNT_ROWS = readStatement('snapshot_import/count_rows');
const STATED_ROWS = readStatement('snapshot_import/stated_rows');

/** What ClickHouse's format ParquetMetadata tells of a file; tuple elements cannot be read separately. */
const METADATA =
  'num_rows UInt64, row_groups Array(Tuple(file_offset UInt64, num_columns UInt64, num_rows UInt64, ' +
  'total_uncompressed_size UInt64, total_compressed_size UInt64, columns Array(Tuple(name String, path String, ' +
  'total_compressed_size UInt64, total_uncompressed_size UInt64, have_statistics Bool, ' +
  'statistics Tuple(num_values Nullable(UInt64), null_count Nullable(UInt64), distinct_count Nullable(UInt64), ' +
  'min Nullable(String), max Nullable(String)), bloom_filter_bytes Int64))))';

/** The rows of a Parquet file that has a column `station`, as every file of a snapshot has. */
export async function countRows(client: Archive, bytes: Buffer, signal: AbortSignal): Promise<number> {
  const file = { name: 'snapshot_file', format: 'Parquet', structure: 'station String', bytes };
  const [row] = await selectRows<{ rows: number }>(client, { query: COUNT_ROWS, file }, signal);
  return row?.rows ?? 0;
}

/** The rows that the footer of a Parquet file states. Reads no rows: 64 kB can hold 100 million equal ones. */
export async function readStatedRows(client: Archive, bytes: Buffer, signal: AbortSignal): Promise<number> {
  const file = { name: 'snapshot_file', format: 'ParquetMetadata', structure: METADATA, bytes };
  const [row] = await selectRows<{ rows: number }>(client, { query: STATED_ROWS, file }, signal);
  return row?.rows ?? 0;
}
