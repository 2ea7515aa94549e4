-- The current reports of a window, of every station: the highest version of each that is not retracted.
SELECT
    observedAt,
    station,
    type,
    fingerprint,
    version,
    source,
    raw,
    decoder,
    nil
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
