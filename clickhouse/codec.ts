import type { ClickHouseClient } from '@clickhouse/client';
import { readQuery } from './query.ts';

const NEWEST = readQuery('newest_codec');

/** How the server compresses what it is given, by the newest part of the archive: `ZSTD(3)`, `LZ4`. */
export async function newestCodec(client: ClickHouseClient, signal: AbortSignal): Promise<string> {
  const result = await client.query({ query: NEWEST, format: 'JSONEachRow', abort_signal: signal });
  const [row] = await result.json<{ codec: string }>();
  return row?.codec ?? '';
}
