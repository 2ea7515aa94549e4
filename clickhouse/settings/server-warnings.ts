import type { Archive } from '../archive.ts';
import { isAccessDenied } from '../errors.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

const MERGE_TREE_SETTINGS = readStatement('server/merge_tree_settings');

/** Settings in `<merge_tree>` of a server that keep every acknowledged insert through a power failure. */
const NEEDED = {
  fsync_after_insert: { least: 1, most: 1 },
  fsync_part_directory: { least: 1, most: 1 },
  min_rows_to_fsync_after_merge: { least: 1, most: 1 },
  min_compressed_bytes_to_fsync_after_merge: { least: 1, most: 1 },
  // In seconds; longer is equally safe.
  old_parts_lifetime: { least: 480, most: Number.POSITIVE_INFINITY },
} as const;

/** Needed in a cluster too: a replica confirms a part once it has copied it. */
const NEEDED_OF_REPLICAS = { min_compressed_bytes_to_fsync_after_fetch: { least: 1, most: 1 } } as const;

const FILE = 'clickhouse/server/config.d/history.xml';
const USERS_FILE = 'clickhouse/server/users.d/history.xml';

/**
 * Tells the server's operator why a power failure can lose reports that a loader has recorded as done. Undefined if it
 * cannot, as in the embedded engine and in ClickHouse Cloud. Throws the reason of `signal` when that aborts.
 *
 * @param isCluster whether the tables are replicated
 */
export async function durabilityWarning(
  archive: Archive,
  isCluster: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const needed = { ...NEEDED, ...(isCluster && NEEDED_OF_REPLICAS) };
  try {
    const settings = isCluster ? 'replicated_merge_tree_settings' : 'merge_tree_settings';
    const params = { settings, names: Object.keys(needed) };
    const rows = await selectRows<Setting>(archive, { query: MERGE_TREE_SETTINGS, params }, signal);
    const missing = missingSettings(needed, rows);
    return missing.length === 0
      ? undefined
      : `A power failure can take acknowledged reports: in <merge_tree> of ClickHouse ${missing.join(', ')}. ${FILE} has them.`;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAccessDenied(error)) throw error;
    return `Whether acknowledged reports survive a power failure is not known, for the user may not read system.merge_tree_settings: install ${USERS_FILE}.`;
  }
}

type Setting = { readonly name: string; readonly value: string };
type Range = { readonly least: number; readonly most: number };

function missingSettings(
  needed: Readonly<Record<string, Range>>,
  settings: readonly Setting[],
): readonly string[] {
  return settings.flatMap(({ name, value }) => {
    const range = needed[name];
    if (range === undefined || (Number(value) >= range.least && Number(value) <= range.most)) return [];
    return [`${name} is ${value} and should be ${range.least}`];
  });
}

const NEWEST_PART_CODEC = readStatement('server/newest_part_codec');

const LZ4_WARNING =
  'The server compresses with LZ4, and the archive needs three quarters more disk space. Copy ' +
  'clickhouse/server/config.d/history.xml to /etc/clickhouse-server/config.d; it applies to rows inserted later.';

/**
 * A warning for the operator of a server that compresses with LZ4; undefined if it does not, if the archive is empty,
 * or if the user may not read `system.parts`.
 */
export async function compressionWarning(archive: Archive, signal: AbortSignal): Promise<string | undefined> {
  return (await readNewestPartCodec(archive, signal))?.startsWith('LZ4') ? LZ4_WARNING : undefined;
}

/** The codec of the newest part of the archive: `ZSTD(3)`, `LZ4`. */
export async function readNewestPartCodec(
  archive: Archive,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const rows = await selectRows<{ codec: string }>(archive, { query: NEWEST_PART_CODEC }, signal);
    return rows[0]?.codec;
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw error;
  }
}
