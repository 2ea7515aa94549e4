import { randomInt } from 'node:crypto';
import type { Archive, Select, StatementSettings } from '../archive.ts';
import { type ClusterLayout, rewriteForCluster } from './rewrite.ts';

/** ClickHouse takes it modulo the number of replicas. */
const REPLICA = randomInt(1 << 16);

/**
 * A process reads only the shards of the stations that a statement names, and sticks to one replica of each shard while
 * that replica responds. Replicas receive a part at different times: a process that found new rows on one replica and
 * then read a page from another could cache a page without them.
 */
export const CLUSTER_READS: StatementSettings = {
  optimize_skip_unused_shards: 1,
  load_balancing: 'first_or_random',
  load_balancing_first_offset: String(REPLICA),
};

/**
 * An archive on a cluster that accepts single-server statements: commands are rewritten for the cluster, and a SELECT
 * of some stations' reports reads only their shards.
 */
export function onCluster(archive: Archive, layout: ClusterLayout): Archive {
  return {
    ...archive,
    select: (select, signal) => archive.select(withShardSkipping(select), signal),
    stream: (select, signal) => archive.stream(withShardSkipping(select), signal),
    async command({ query, ...statement }, signal) {
      for (const rewritten of rewriteForCluster(query, layout))
        await archive.command({ ...statement, query: rewritten }, signal);
    },
  };
}

/** Only the new analyzer prunes shards by `station IN {stations:Array(String)}`. */
function withShardSkipping(select: Select): Select {
  return select.ofStations ? { ...select, settings: { ...select.settings, enable_analyzer: 1 } } : select;
}
