-- The last record that a stream may hold, and the record after it, if any. Reads only key columns.
SELECT
    toUnixTimestamp(report.observedAt) AS observedAt,
    report.station AS station,
    report.type AS type,
    leftPad(lower(hex(report.fingerprint)), 8, '0') AS fingerprint
FROM ($highestVersions) AS report
WHERE NOT report.retracted $meets
LIMIT {recordsBefore:UInt32}, 2
