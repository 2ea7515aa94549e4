import type { Archive } from './archive.ts';
import { isAccessDenied } from './errors.ts';
import { selectRows } from './statements/select.ts';
import { readSqlFile } from './statements/sql-file.ts';

const NEWEST_PART_CODEC = readSqlFile('server/newest_part_codec');

/**
 * The codec with which the server compresses, by the newest part of the archive: `ZSTD(3)`, `LZ4`. `undefined` where
 * the user may not read `system.parts`.
 */
export async function readNewestPartCodec(client: Archive, signal: AbortSignal): Promise<string | undefined> {
  try {
    const rows = await selectRows<{ codec: string }>(client, { query: NEWEST_PART_CODEC }, signal);
    return rows[0]?.codec;
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw error;
  }
}
