-- name: server_time
SELECT toUnixTimestamp64Milli(now64(3)) / 1000 AS time

-- name: macros
SELECT macro
FROM system.macros

-- name: cluster_shards
SELECT
    shard_num AS shard,
    toUInt32(count()) AS replicas,
    min(internal_replication) = 1 AS internalReplication
FROM system.clusters
WHERE cluster = {cluster:String}
GROUP BY shard
ORDER BY shard

-- name: merge_tree_settings
-- None are needed on ClickHouse Cloud, whose parts are objects in the object storage.
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
SELECT DISTINCT table, partition_id AS partition
FROM system.parts
WHERE active
    AND database = currentDatabase()
ORDER BY table, partition

-- name: check_partition
-- Reads every byte of the parts.
CHECK TABLE $table PARTITION ID '$partition'
SETTINGS check_query_single_value_result = 0

-- name: detach_part
-- To the folder `detached`.
ALTER TABLE $table
    DETACH PART '$part'

-- name: broken_parts
-- Those that ClickHouse detached at its start as damaged, and those of a repair, which have no reason.
SELECT table, name, path, partition_id AS partition, reason
FROM system.detached_parts
WHERE database = currentDatabase()
    AND (reason LIKE 'broken%' OR reason = '')
ORDER BY table, name
