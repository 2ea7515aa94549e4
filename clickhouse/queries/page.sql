-- One page, in the order of D12, printed by the engine as the contract wants it.
--
-- The cursor narrows the time first and only then looks into its own minute: written as one comparison of tuples
-- it would keep every granule of the primary index.
-- A key may stand here several times until a merge; its highest version comes first, and the reader of these rows
-- keeps only that one.
SELECT
    concat(station, '-', formatDateTime(observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(fingerprint)), 8, '0')) AS id,
    station,
    observedAt,
    type,
    multiIf(retracted, 'retracted', $parseStatus) AS parseStatus
    $representations
FROM observations
WHERE station IN {stations:Array(String)}
    AND type IN {types:Array(String)}
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT (observedAt = {afterTime:DateTime('UTC')}
        AND (station, toInt8(type), fingerprint) <= ({afterStation:String}, {afterType:Int8}, {afterFingerprint:UInt32}))
ORDER BY observedAt, station, type, fingerprint, version DESC
LIMIT {rows:UInt32}
