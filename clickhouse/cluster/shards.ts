import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

/** One shard of a cluster, as `system.clusters` has it. */
export type Shard = {
  readonly replicas: number;
  /** 1 if the tables of a shard replicate an insert, 0 if the Distributed table does. */
  readonly internalReplication: number;
};

const SHARDS = readStatement('server/cluster_shards');
const MACROS = readStatement('server/macros');

/** Used in the paths of the tables in Keeper. */
const MACROS_NEEDED = ['shard', 'replica'];

const TIMEOUT_MS = 10_000;

/**
 * Reads the shards of a cluster.
 *
 * @throws if the server does not know the cluster or lacks anything that the tables need; the message lists it all
 */
export async function readShards(client: Archive, cluster: string): Promise<readonly Shard[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const shards = await selectRows<Shard>(client, { query: SHARDS, params: { cluster } }, signal);
  const macros = await selectRows<{ macro: string }>(client, { query: MACROS }, signal);
  const names = macros.map(({ macro }) => macro);
  const missing = missingRequirements(shards, names, cluster);
  if (missing.length > 0)
    throw new Error(`ClickHouse is not ready for CLICKHOUSE_CLUSTER=${cluster}:\n- ${missing.join('\n- ')}`);
  return shards;
}

/** Tells the operator what is missing from the configuration of a cluster server. */
export function missingRequirements(
  shards: readonly Shard[],
  macros: readonly string[],
  cluster: string,
): readonly string[] {
  const missing: string[] = [];
  if (shards.length === 0) missing.push(`the cluster ${cluster} is unknown: add it to <remote_servers>`);
  if (new Set(shards.map(({ replicas }) => replicas)).size > 1)
    missing.push('shards have different numbers of replicas: give each shard the same number');
  if (shards.some(({ replicas, internalReplication }) => replicas > 1 && internalReplication === 0))
    missing.push('a shard has no internal replication: set <internal_replication> to true');
  for (const macro of MACROS_NEEDED)
    if (!macros.includes(macro)) missing.push(`the macro ${macro} is missing: add it to <macros>`);
  return missing;
}
