-- One page, in the order of D12, printed by the server in the form of the contract.
--
-- A key may occur several times until a merge. Its highest version comes first, and the reader of these rows keeps only
-- that.
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
    $afterCursor
ORDER BY
    observedAt,
    station,
    type,
    fingerprint,
    version DESC
LIMIT {rows:UInt32}
