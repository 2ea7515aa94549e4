-- The current reports of stations that count in statistics: the highest version of each, which is chosen before anything
-- else is asked. Retracted and NIL reports never count. In the order of the projection, so that nothing is sorted.
SELECT *
FROM
(
    SELECT
        station,
        observedAt,
        type,
        fingerprint,
        retracted,
        tupleElement(decoded, 'nil') IS NOT NULL AS nil
        $columns
    FROM observations
    WHERE station IN $stations
        AND observations.observedAt >= {from:DateTime('UTC')}
        AND observations.observedAt < {to:DateTime('UTC')}
        $types
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
    AND NOT nil
