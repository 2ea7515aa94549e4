-- One page, in the order of D12: each row is the JSON text of a record of the contract.
--
-- A key may occur several times until a merge. Its highest version comes first, and the reader of these rows keeps only
-- that.
$chosen
SELECT $record
FROM observations AS report
WHERE $selected
ORDER BY
    observedAt,
    station,
    type,
    fingerprint,
    version DESC
LIMIT {rows:UInt32}
FORMAT TSVRaw
