-- Stations with a report that is current under both types: two loaders wrote it at the same time, and neither saw the
-- other's row.
SELECT DISTINCT station
FROM
(
    SELECT
        station,
        observedAt,
        fingerprint
    FROM
    (
        SELECT
            station,
            observedAt,
            type,
            fingerprint,
            argMax(retracted, version) AS isRetracted
        FROM observations
        WHERE $ofStation
            AND observations.observedAt >= {from:DateTime('UTC')}
            AND observations.observedAt < {to:DateTime('UTC')}
        GROUP BY
            station,
            observedAt,
            type,
            fingerprint
    )
    WHERE NOT isRetracted
    GROUP BY
        station,
        observedAt,
        fingerprint
    HAVING count() > 1
)
