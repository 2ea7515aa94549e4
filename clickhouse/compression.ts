import type { Archive } from './archive.ts';
import { isAccessDenied } from './errors.ts';
import { selectRows } from './statements/select.ts';
import { readStatement } from './statements/sql.ts';

const NEWEST_PART_CODEC = readStatement('server/newest_part_codec');

const LZ4_WARNING =
  'The server compresses with LZ4, and the archive needs three quarters more disk space. Copy ' +
  'clickhouse/server/config.d/history.xml to /etc/clickhouse-server/config.d; it applies to rows inserted later.';

/**
 * A warning for the operator of a server that compresses with LZ4; undefined if it does not, if the archive is empty,
 * or if the user may not read `system.parts`.
 */
export async function compressionWarning(client: Archive, signal: AbortSignal): Promise<string | undefined> {
  return (await readNewestPartCodec(client, signal))?.startsWith('LZ4') ? LZ4_WARNING : undefined;
}

/** The codec of the newest part of the archive: `ZSTD(3)`, `LZ4`. */
export async function readNewestPartCodec(client: Archive, signal: AbortSignal): Promise<string | undefined> {
  try {
    const rows = await selectRows<{ codec: string }>(client, { query: NEWEST_PART_CODEC }, signal);
    return rows[0]?.codec;
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw error;
  }
}
