import type { Archive, Select, Statement } from '../archive.ts';

/** How a row is printed: as an object by column name, or as an array in the order of the columns. */
type RowShape = 'object' | 'array';

const FORMAT_OF_ROWS = { object: 'JSONEachRow', array: 'JSONCompactEachRow' } as const;

/** All rows of a statement without a `FORMAT` clause. */
export async function selectRows<Row>(
  archive: Archive,
  select: Select,
  signal?: AbortSignal,
  format: RowShape = 'object',
): Promise<readonly Row[]> {
  return parseRows((await archive.select(withFormat(select, format), signal)).toString());
}

/** The rows in batches as they arrive, for results too large to hold in memory. */
export async function* streamRows<Row>(
  archive: Archive,
  select: Select,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const stream = await archive.stream(withFormat(select, 'object'), signal);
  let begun = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const text = begun + String(chunk);
    const end = text.lastIndexOf('\n') + 1;
    begun = text.slice(end);
    if (end > 0) yield parseRows<Row>(text.slice(0, end));
  }
}

function withFormat<S extends Statement>(statement: S, format: RowShape): S {
  return { ...statement, query: `${statement.query}\nFORMAT ${FORMAT_OF_ROWS[format]}` };
}

/** One JSON.parse of all rows takes half as long as one per row. */
function parseRows<Row>(lines: string): readonly Row[] {
  return JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}
