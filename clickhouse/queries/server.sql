-- name: server_time
-- The clock of the server, to the millisecond.
SELECT toUnixTimestamp64Milli(now64(3)) / 1000 AS time

-- name: macros
-- The names that a server replaces in the paths of replicated tables.
SELECT macro
FROM system.macros

-- name: cluster_shards
-- The shards of a cluster, with the number of their replicas.
SELECT
    shard_num AS shard,
    toUInt32(count()) AS replicas,
    min(internal_replication) = 1 AS internalReplication
FROM system.clusters
WHERE cluster = {cluster:String}
GROUP BY shard
ORDER BY shard

-- name: merge_tree_settings
-- Effective settings of new parts. None are needed on ClickHouse Cloud, where a part is a set of objects in the object
-- storage.
SELECT name, value
FROM system.{settings:Identifier}
WHERE name IN {names:Array(String)}
    AND
    (
        SELECT count()
        FROM system.tables
        WHERE database = currentDatabase()
            AND startsWith(engine, 'Shared')
    ) = 0
ORDER BY name

-- name: partitions
-- The partitions of each table.
SELECT DISTINCT table, partition_id AS partition
FROM system.parts
WHERE active
    AND database = currentDatabase()
ORDER BY table, partition

-- name: check_partition
-- The parts of a partition, and what is wrong with each: reads every byte of them.
CHECK TABLE $table PARTITION ID '$partition'
SETTINGS check_query_single_value_result = 0

-- name: detach_part
-- Moves a part out of its table, to the folder `detached`.
ALTER TABLE $table
    DETACH PART '$part'

-- name: broken_parts
-- Parts that ClickHouse detached at startup because one of their files is damaged or missing, and those that a repair has
-- detached, which have no reason.
SELECT table, name, path, partition_id AS partition, reason
FROM system.detached_parts
WHERE database = currentDatabase()
    AND (reason LIKE 'broken%' OR reason = '')
ORDER BY table, name
