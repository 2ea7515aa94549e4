-- The current reports of a selection, in the order of D12, and retracted ones, which the statement around it drops.
-- (FINAL would do the same as LIMIT BY, but cannot use the projection.)
SELECT
    observedAt,
    station,
    type,
    fingerprint,
    retracted
    $columns
FROM observations
WHERE $filters
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
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
