import type { ClickHouseClient } from '@clickhouse/client';
import { isAccessDenied } from './errors.ts';
import { readSqlFile } from './sql-file.ts';

const NEWEST = readSqlFile('newest_part_codec');

/**
 * How the server compresses what it is given, by the newest part of the archive: `ZSTD(3)`, `LZ4`. `undefined` where the
 * user may not see parts.
 */
export async function readNewestPartCodec(
  client: ClickHouseClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const result = await client.query({ query: NEWEST, format: 'JSONEachRow', abort_signal: signal });
    return (await result.json<{ codec: string }>())[0]?.codec;
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw error;
  }
}
