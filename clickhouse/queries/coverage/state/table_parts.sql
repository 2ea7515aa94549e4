-- The active parts of a table. The counts come from the metadata of the parts: no row is read. The number of the shard is 0
-- without a cluster: the parts of two shards have the same names.
SELECT
    '$table' AS table,
    concat(toString(shardNum()), '-', _part) AS name,
    toUInt32(count()) AS rows
FROM $table
GROUP BY
    shardNum(),
    _part
