import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { readQuery } from './query.ts';

const NEWEST = readQuery('newest_codec');
const ACCESS_DENIED = '497';

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
    if (error instanceof ClickHouseError && error.code === ACCESS_DENIED) return undefined;
    throw error;
  }
}
