import type { ClickHouseClient } from '@clickhouse/client';
import { isRefused } from './failure.ts';
import { readQuery } from './query.ts';

const NEWEST = readQuery('newest_codec');

/**
 * How the server compresses what it is given, by the newest part of the archive: `ZSTD(3)`, `LZ4`. `undefined` where the
 * user may not see parts.
 */
export async function newestCodec(
  client: ClickHouseClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const result = await client.query({ query: NEWEST, format: 'JSONEachRow', abort_signal: signal });
    return (await result.json<{ codec: string }>())[0]?.codec;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}
