-- The current reports of a closed selection for which a condition is true, in the order of D12: each row is the JSON
-- text of a record of the contract. The highest version is chosen before the condition is checked.
SELECT $record
FROM ($highestVersions) AS report
WHERE NOT report.retracted
    AND report.meets
LIMIT {rows:UInt32}
FORMAT TSVRaw
