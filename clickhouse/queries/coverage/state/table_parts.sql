-- The active parts of the tables that pages and coverage come from. The counts come from the metadata of the parts: no
-- row is read. The number of the shard is 0 without a cluster: the parts of two shards have the same names.
SELECT
    'coverage' AS table,
    concat(toString(shardNum()), '-', _part) AS name,
    toUInt32(count()) AS rows
FROM coverage
GROUP BY
    shardNum(),
    _part
UNION ALL
SELECT
    'stations' AS table,
    concat(toString(shardNum()), '-', _part) AS name,
    toUInt32(count()) AS rows
FROM stations
GROUP BY
    shardNum(),
    _part
UNION ALL
SELECT
    'observations' AS table,
    concat(toString(shardNum()), '-', _part) AS name,
    toUInt32(count()) AS rows
FROM observations
GROUP BY
    shardNum(),
    _part
