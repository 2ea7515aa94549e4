-- All rows of a window, replaced versions and retractions included: the reader keeps the highest version of each key.
-- (FINAL would do the same, but cannot use the projection.)
SELECT
    toUnixTimestamp(observedAt) AS observedAt,
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
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
