-- The reports of a stretch as they stand, of every station: each once, in its highest version.
SELECT
    observedAt,
    station,
    type,
    fingerprint,
    version,
    source,
    raw,
    decoder,
    tupleElement(decoded, 'nil') IS NOT NULL AS nil
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
