-- The minutes of the current reports for which a condition is true, in order. It reads key columns and the fields that the
-- condition names, not the texts of the reports.
SELECT toUnixTimestamp(report.observedAt) AS minute
FROM ($highestVersions) AS report
WHERE NOT report.retracted
    AND report.meets
LIMIT {rows:UInt32}
