-- All rows of a window, replaced versions and retractions included: the reader keeps the highest version of each key.
-- (FINAL would do the same, but cannot use the projection.) `raw` is made of `observedAt`, so nothing else has that name: a
-- Distributed table takes an alias for the column.
SELECT
    toUnixTimestamp(observedAt) AS seconds,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version,
    decoder,
    clean,
    retracted
FROM observations
WHERE $ofStation
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
