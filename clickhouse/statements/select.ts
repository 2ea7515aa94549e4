import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';

/** A SELECT with the values of its parameters. */
export type Select = {
  readonly query: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: ClickHouseSettings;
};

/** How a row is printed: as an object by column name, or as an array in the order of the columns. */
export type RowFormat = 'object' | 'array';

/** All rows of a statement. */
export async function selectRows<Row>(
  client: ClickHouseClient,
  select: Select,
  signal: AbortSignal,
  format: RowFormat = 'object',
): Promise<readonly Row[]> {
  const lines = await selectText(client, select, signal, format);
  // One JSON.parse of all rows takes half as long as one for each row.
  return JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}

/** The rows as the server prints them: the JSON text of one row a line. */
export async function selectText(
  client: ClickHouseClient,
  select: Select,
  signal: AbortSignal,
  format: RowFormat = 'object',
): Promise<string> {
  const result = await run(client, select, signal, format);
  return result.text();
}

/** What the statement prints, in memory of its own. The statement has a `FORMAT` clause. */
export async function selectBytes(
  client: ClickHouseClient,
  { query, params, settings }: Select,
  signal: AbortSignal,
): Promise<Buffer> {
  const { stream } = await client.exec({
    query,
    ...(params && { query_params: params }),
    ...(settings && { clickhouse_settings: settings }),
    abort_signal: signal,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(bytes, end);
  return bytes;
}

/** The rows in the batches in which they arrive, for results that are too large to hold. */
export async function* streamRows<Row>(
  client: ClickHouseClient,
  select: Select,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const result = await run(client, select, signal, 'object');
  for await (const batch of result.stream<Row>()) yield batch.map((row) => row.json());
}

function run(
  client: ClickHouseClient,
  { query, params, settings }: Select,
  signal: AbortSignal,
  format: RowFormat,
) {
  return client.query({
    query,
    ...(params && { query_params: params }),
    ...(settings && { clickhouse_settings: settings }),
    format: format === 'object' ? 'JSONEachRow' : 'JSONCompactEachRow',
    abort_signal: signal,
  });
}
