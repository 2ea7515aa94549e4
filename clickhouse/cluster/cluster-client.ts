import type { ClickHouseClient, CommandParams, QueryParams } from '@clickhouse/client';
import { type ClusterLayout, rewriteForCluster } from './rewrite.ts';

const READS_SHARDS = /\bFROM observations\b/;

/**
 * A client whose statements are those of one server: commands are rewritten for the cluster, and statements that name
 * the stations of reports read only the shards of these stations.
 */
export function toClusterClient(client: ClickHouseClient, layout: ClusterLayout): ClickHouseClient {
  return Object.assign(Object.create(client), {
    query: (params: QueryParams) => client.query(withShardSkipping(params)),
    async command({ query, ...params }: CommandParams) {
      const results = [];
      for (const statement of rewriteForCluster(query, layout))
        results.push(await client.command({ ...params, query: statement }));
      return results.at(-1);
    },
  });
}

/** For `station IN {stations:Array(String)}` only the newer analyzer finds the shards of the stations. */
function withShardSkipping(params: QueryParams): QueryParams {
  if (params.query_params?.stations === undefined || !READS_SHARDS.test(params.query)) return params;
  return { ...params, clickhouse_settings: { ...params.clickhouse_settings, enable_analyzer: 1 } };
}
