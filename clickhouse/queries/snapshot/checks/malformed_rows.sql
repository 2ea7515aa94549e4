-- How many rows of a snapshot table cannot come from a loader, or repeat another one.
SELECT toUInt32(count() - uniqExact($key) + countIf(NOT (
    match(source, '^[a-z][a-z0-9_-]{0,31}$')
    AND match(station, '^[A-Z][A-Z0-9]{3}$')
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND $sound))) AS malformed
FROM snapshot_file
