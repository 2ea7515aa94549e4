-- Parts that ClickHouse detached at startup because one of their files is damaged or missing.
SELECT
    table,
    name,
    path,
    partition_id AS partition,
    reason
FROM system.detached_parts
WHERE database = currentDatabase()
    AND reason LIKE 'broken%'
ORDER BY
    table,
    name
