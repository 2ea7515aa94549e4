-- The shards of a cluster, with the number of their replicas.
SELECT
    shard_num AS shard,
    toUInt32(count()) AS replicas,
    min(internal_replication) = 1 AS internalReplication
FROM system.clusters
WHERE cluster = {cluster:String}
GROUP BY shard
ORDER BY shard
