-- The rows of a range, replaced versions and retractions included: never fewer than its records.
SELECT toUInt32(count()) AS rows
FROM observations
WHERE $filters
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    $afterCursor
    $untilLast
