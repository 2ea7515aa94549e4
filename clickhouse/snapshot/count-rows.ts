import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readSqlFile } from '../statements/sql-file.ts';

const COUNT_ROWS = readSqlFile('snapshot/checks/count_rows');

/** The rows of a Parquet file that has a column `station`, as every file of a snapshot has. */
export async function countRows(client: Archive, bytes: Buffer, signal: AbortSignal): Promise<number> {
  const file = { name: 'snapshot_file', format: 'Parquet', structure: 'station String', bytes };
  const [row] = await selectRows<{ rows: number }>(client, { query: COUNT_ROWS, file }, signal);
  return row?.rows ?? 0;
}
