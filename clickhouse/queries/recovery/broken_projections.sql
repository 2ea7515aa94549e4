-- Projections with a missing or truncated file. Queries and merges do without them; a backup refuses them.
SELECT
    table,
    name AS projection,
    toUInt32(count()) AS parts
FROM system.projection_parts
WHERE active
    AND is_broken
    AND database = currentDatabase()
GROUP BY
    table,
    projection
