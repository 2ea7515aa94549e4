import type { StatementSettings } from './archive.ts';
import { type ArchiveSettings, openArchive } from './client.ts';
import { readShards } from './cluster/shards.ts';

/** An insert not stored by all replicas by then may or may not be in the archive, so the slice is loaded again. */
const QUORUM_TIMEOUT_MS = 60_000;

/**
 * How a loader inserts. In a cluster an insert is acknowledged when every replica of the shard has stored it: the
 * ledger is written after that, so no server reports a day as done before each replica that may serve it has the
 * reports (D16).
 */
export async function readInsertSettings(settings: ArchiveSettings): Promise<StatementSettings> {
  const { cluster } = settings;
  if (cluster === undefined) return {};
  const client = openArchive(settings);
  try {
    const [shard] = await readShards(client, cluster);
    return {
      distributed_foreground_insert: 1,
      insert_quorum: String(shard?.replicas ?? 1),
      insert_quorum_timeout: QUORUM_TIMEOUT_MS,
      // Keeper would drop a repeated insert of rows that were deleted meanwhile.
      insert_deduplicate: 0,
    };
  } finally {
    await client.close();
  }
}
