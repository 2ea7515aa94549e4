-- The current reports of a closed range, in the order of D12, as the server sends them to a client.
--
-- (FINAL would do the same as LIMIT BY, but cannot use the projection.)
SELECT
    $columns
FROM
(
    SELECT
        observedAt,
        station,
        type,
        fingerprint,
        retracted
        $representations
    FROM observations
    WHERE $ofStations
        AND observations.observedAt >= {from:DateTime('UTC')}
        AND observations.observedAt < {to:DateTime('UTC')}
        $ofType
        $afterCursor
        $untilLast
    ORDER BY
        observedAt,
        station,
        type,
        fingerprint,
        version DESC
    LIMIT 1 BY
        observedAt,
        station,
        type,
        fingerprint
) AS report
WHERE NOT report.retracted
FORMAT $format
