-- The last load of each source that loaded anything, and the last that failed. A time of 0 means none.
SELECT
    source,
    toUnixTimestamp(maxIf(endedAt, slices > 0)) AS loadedAt,
    argMaxIf(loads.inserted, endedAt, slices > 0) AS inserted,
    toUnixTimestamp(maxIf(endedAt, loads.failure != '')) AS failedAt,
    argMaxIf(loads.failure, endedAt, loads.failure != '') AS failure
FROM loads
GROUP BY source
ORDER BY source
