-- The current reports of a window, of some stations: the highest version of each that is not retracted.
-- (FINAL would do the same, but cannot use the projection.)
SELECT *
FROM
(
    SELECT
        observedAt,
        station,
        type,
        fingerprint,
        version,
        retracted,
        source,
        raw,
        decoder,
        tupleElement(decoded, 'nil') IS NOT NULL AS nil
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
)
WHERE NOT retracted
