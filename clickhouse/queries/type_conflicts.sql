-- Stations with a report that stands under both types: two loaders wrote it at once, and neither saw the other's.
SELECT DISTINCT station
FROM
(
    SELECT station, observedAt, fingerprint
    FROM
    (
        SELECT station, observedAt, type, fingerprint, argMax(retracted, version) AS gone
        FROM observations
        WHERE $station
            AND observations.observedAt >= {from:DateTime('UTC')}
            AND observations.observedAt < {to:DateTime('UTC')}
        GROUP BY station, observedAt, type, fingerprint
    )
    WHERE NOT gone
    GROUP BY station, observedAt, fingerprint
    HAVING count() > 1
)
