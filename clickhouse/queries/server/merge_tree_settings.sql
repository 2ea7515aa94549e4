-- Effective settings of new parts. None are needed on ClickHouse Cloud, where a part is a set of objects in the object
-- storage.
SELECT
    name,
    value
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
