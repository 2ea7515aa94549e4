import { type Archive, canceledBy } from '../archive.ts';
import { isAccessDenied } from '../errors.ts';
import { namedStatement, selectRows } from '../statements/select.ts';

/** Settings in `<merge_tree>` of a server that keep every acknowledged insert through a power failure. */
const NEEDED: Readonly<Record<string, number>> = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
  // In seconds; longer is equally safe.
  old_parts_lifetime: 480,
};

/** Needed in a cluster too: a replica confirms a part once it has copied it. */
const NEEDED_OF_REPLICAS = { min_compressed_bytes_to_fsync_after_fetch: 1 };

const SETTINGS_FILE = 'clickhouse/server/config.d/history.xml';
const USERS_FILE = 'clickhouse/server/users.d/history.xml';

/** Why a power failure can lose what is recorded as done; undefined if it cannot, as in the embedded engine and in the Cloud. */
export async function durabilityWarning(archive: Archive, signal: AbortSignal): Promise<string | undefined> {
  const { isCluster } = archive;
  const needed = isCluster ? { ...NEEDED, ...NEEDED_OF_REPLICAS } : NEEDED;
  try {
    const settings = isCluster ? 'replicated_merge_tree_settings' : 'merge_tree_settings';
    const select = namedStatement('server/merge_tree_settings', { settings, names: Object.keys(needed) });
    const rows = await selectRows<{ name: string; value: string }>(canceledBy(signal, archive), select);
    const missing = rows.flatMap(({ name, value }) => {
      const [actual, least] = [Number(value), needed[name] ?? 0];
      const isSafe = name === 'old_parts_lifetime' ? actual >= least : actual === least;
      return isSafe ? [] : [`${name} is ${value} and should be ${least}`];
    });
    return missing.length === 0
      ? undefined
      : `A power failure can take acknowledged reports: in <merge_tree> of ClickHouse ${missing.join(', ')}. ${SETTINGS_FILE} has them.`;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAccessDenied(error)) throw error;
    return `It is not known whether acknowledged reports survive a power failure, because the user may not read system.merge_tree_settings: install ${USERS_FILE}.`;
  }
}
