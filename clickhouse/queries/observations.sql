-- name: matching
-- Its row has the part where parts are named, and else the version that met the condition, also where a loader writes a higher
-- one meanwhile. (A cluster runs it once.)
(report.station, report.observedAt, report.type, report.fingerprint, $row) GLOBAL IN (
    SELECT report.station, report.observedAt, report.type, report.fingerprint, $row
    FROM $reports
    $first
)

-- name: records
-- In the order of D12: each row is the JSON text of a record of the contract.
$chosen
SELECT $record
FROM $reports
ORDER BY $order
$limit
FORMAT $format

-- name: columns
-- As columns, which have the names of columns of the table: a subquery reads those.
SELECT
    $columns
FROM
(
    SELECT
        report.observedAt AS observedAt,
        report.station AS station,
        report.type AS type,
        report.fingerprint AS fingerprint
        $read
    FROM $reports
) AS report
ORDER BY $order
FORMAT $format

-- name: row_count
-- Never fewer than the records: replaced versions and retractions are included.
SELECT toUInt32(count()) AS rows
FROM $rows
$andMeets

-- name: candidate_rows
-- Of the granules that can meet a condition, by their indexes. No row is read.
EXPLAIN ESTIMATE SELECT 1
FROM $rows
$andMeets

-- name: range_end
-- The last record of a stream and the one after it. Columns have no other names: a condition would compare those.
SELECT
    toUnixTimestamp(report.observedAt),
    report.station,
    report.type,
    leftPad(lower(hex(report.fingerprint)), 8, '0')
FROM $reports
$andMeets
ORDER BY $order
LIMIT {recordsBefore:UInt32}, 2

-- name: stored_reports
-- `raw` is made of `observedAt`, so nothing else has that name: a Distributed table takes an alias for the column.
SELECT
    toUnixTimestamp(observedAt) AS seconds,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version,
    counts
FROM $reports FINAL
WHERE $ofStation
    AND $within(observedAt)
    AND NOT retracted
