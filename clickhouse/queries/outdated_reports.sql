-- The reports that were last read by an older decoder than this one.
SELECT
    toUnixTimestamp(observedAt) AS observedAt,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version
FROM $live
WHERE decoder < {decoder:UInt16}
