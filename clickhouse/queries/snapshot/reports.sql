-- The current reports of some stations in a window, as a file of a snapshot: sorted by station. The projection has this
-- order, so nothing is sorted in memory.
SELECT
    $columns
FROM
(
    SELECT
        observedAt,
        station,
        type,
        fingerprint,
        retracted,
        source,
        $stored
    FROM observations
    WHERE station IN {stations:Array(String)}
        AND observations.observedAt >= {from:DateTime('UTC')}
        AND observations.observedAt < {to:DateTime('UTC')}
    ORDER BY
        station,
        observedAt,
        type,
        fingerprint,
        version DESC
    LIMIT 1 BY
        station,
        observedAt,
        type,
        fingerprint
) AS report
WHERE NOT report.retracted
FORMAT Parquet
