import type { Archive } from '../archive.ts';
import { fillSql, readStatement } from './sql.ts';

const DELETE_ROWS = readStatement('maintenance/delete_rows');

/**
 * Deletes the rows of a table that meet a condition; they are gone when it resolves.
 *
 * @param condition SQL with typed placeholders, never a value
 */
export async function deleteRows(
  archive: Archive,
  table: string,
  condition: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  await archive.command({ query: fillSql(DELETE_ROWS, { table, condition }), params }, signal);
}
