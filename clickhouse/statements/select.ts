import type { Archive, Select, Statement, StatementSettings } from '../archive.ts';
import { type Condition, conditionSql } from '../conditions/condition.ts';
import { FIELD_COLUMNS } from '../model/field-columns.ts';
import { readStatement, SqlParameters } from './sql.ts';

/** A statement of `clickhouse/queries/` (see `readStatement`), with the values of its parameters. */
export function namedStatement(
  path: string,
  params: Statement['params'] = {},
  settings: StatementSettings = {},
) {
  return { query: readStatement(path), params, settings };
}

/** `JSONCompactEachRow`: each row is an array of its values. */
type JsonRows = 'JSONEachRow' | 'JSONCompactEachRow';

export async function selectRows<Row>(
  archive: Archive,
  select: Select,
  format: JsonRows = 'JSONEachRow',
): Promise<readonly Row[]> {
  return parseRows((await archive.select(withFormat(select, format))).toString());
}

/** The row of a statement that always has one. */
export async function selectRow<Row>(archive: Archive, select: Select): Promise<Row> {
  const [row] = await selectRows<Row>(archive, select);
  if (row === undefined) throw new Error('ClickHouse has returned no row');
  return row;
}

/** The rows in batches as they arrive, for results too large to hold in memory. */
export async function* streamRows<Row>(archive: Archive, select: Select): AsyncGenerator<readonly Row[]> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const chunk of await archive.stream(withFormat(select, 'JSONEachRow'))) {
    const bytes = Buffer.concat([begun, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    begun = bytes.subarray(end);
    if (end > 0) yield parseRows<Row>(bytes.toString('utf8', 0, end));
  }
}

function withFormat(select: Select, format: JsonRows): Select {
  return { ...select, query: `${select.query}\nFORMAT ${format}` };
}

/** One JSON.parse of all rows takes half as long as one per row. */
function parseRows<Row>(lines: string): readonly Row[] {
  return JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}

/** For statements that read a few granules: with less planning, on one thread, they take a fifth less CPU (see docs/design.md). */
export const POINT_READ: StatementSettings = {
  enable_analyzer: 0,
  max_threads: 1,
  output_format_parallel_formatting: 0,
  priority: '1',
};

/** Between blocks, streams and statistics wait while a `POINT_READ` runs, but at most 20 ms (see docs/design.md). */
export const LONG_READ: StatementSettings = { priority: '2', low_priority_query_wait_time_ms: '20' };

/**
 * Keeps decompressed blocks in memory, which also have rows of other times and stations. A page with decoded fields then takes
 * 0.83 of the CPU time, the mean temperature of 1,000 stations 0.65. If the blocks are not in memory yet, it takes 0.95 to 1.25.
 */
export const KEEPS_BLOCKS: StatementSettings = { use_uncompressed_cache: 1 };

/**
 * Leaves out of the planning of a statement: projections (0.6 of 6 ms), unused columns (0.4 of 15 ms with all fields), and indexes
 * of columns that the condition does not name (1.6 ms). Statements that count the rows of parts do need projections.
 */
export function planSettings(selection: { readonly condition?: Condition | undefined }): StatementSettings {
  const { condition } = selection;
  return {
    optimize_use_projections: 0,
    query_plan_remove_unused_columns: 0,
    ...(condition === undefined
      ? { use_skip_indexes: 0 }
      : { ignore_data_skipping_indices: indexesWithout(condition) }),
  };
}

/** The indexes of the columns that a condition does not name. */
function indexesWithout(condition: Condition): string {
  const sql = conditionSql(condition, new SqlParameters('filter'));
  const others = [...FIELD_COLUMNS.keys()].filter((column) => !sql.includes(column));
  return others.map((column) => `range_${column}`).join();
}

/** For reports and days of some stations: with less planning, on one thread that also prints, in blocks that are ended by rows. */
export const ONE_THREAD_READ: StatementSettings = {
  ...POINT_READ,
  ...LONG_READ,
  ...KEEPS_BLOCKS,
  ...planSettings({}),
  preferred_block_size_bytes: '0',
};

export type RowOf<Value> = { readonly [Name in keyof Value]-?: Value[Name] | null };

/** The value of a row: columns that are NULL are absent. */
export function withoutNulls<Value extends object>(row: RowOf<Value>): Value {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Value;
}
