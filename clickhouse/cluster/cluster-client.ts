import { randomInt } from 'node:crypto';
import type {
  ClickHouseClient,
  ClickHouseSettings,
  CommandParams,
  ExecParams,
  QueryParams,
} from '@clickhouse/client';
import { type ClusterLayout, rewriteForCluster } from './rewrite.ts';

/** A number that is taken modulo the number of replicas. */
const REPLICA = randomInt(1 << 16);

/**
 * How a process reads a cluster: only the shards of the stations that a statement names, and always the same replica of a
 * shard while that answers. Replicas receive a part at different times: a process that looked for new rows on one and
 * read a page from another could keep a page without rows that it believes to have.
 */
export const CLUSTER_READS: ClickHouseSettings = {
  optimize_skip_unused_shards: 1,
  load_balancing: 'first_or_random',
  load_balancing_first_offset: String(REPLICA),
};

const READS_SHARDS = /\bFROM observations\b/;

/**
 * A client whose statements are those of one server: commands are rewritten for the cluster, and statements that name
 * the stations of reports read only the shards of these stations.
 */
export function toClusterClient(client: ClickHouseClient, layout: ClusterLayout): ClickHouseClient {
  return Object.assign(Object.create(client), {
    query: (params: QueryParams) => client.query(withShardSkipping(params)),
    exec: (params: ExecParams) => client.exec(withShardSkipping(params)),
    async command({ query, ...params }: CommandParams) {
      const results = [];
      for (const statement of rewriteForCluster(query, layout))
        results.push(await client.command({ ...params, query: statement }));
      return results.at(-1);
    },
  });
}

/** For `station IN {stations:Array(String)}` only the newer analyzer finds the shards of the stations. */
function withShardSkipping<P extends QueryParams | ExecParams>(params: P): P {
  if (params.query_params?.stations === undefined || !READS_SHARDS.test(params.query)) return params;
  return { ...params, clickhouse_settings: { ...params.clickhouse_settings, enable_analyzer: 1 } };
}
