-- The reports that were last decoded by an older version of the decoder.
SELECT
    toUnixTimestamp(observedAt) AS observedAt,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version
FROM $currentReports
WHERE decoder < {decoder:UInt16}
