-- One page, in the order of D12, printed by the engine as the contract wants it.
--
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
WHERE $ofStations
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    $ofType
    $behindCursor
ORDER BY observedAt, station, type, fingerprint, version DESC
LIMIT {rows:UInt32}
