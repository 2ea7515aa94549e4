-- name: matching
-- The rows of the reports that meet a condition. Their version is that which met it, also where a loader writes a higher one
-- meanwhile. (A cluster runs the subquery once, over all shards.)
(report.station, report.observedAt, report.type, report.fingerprint, report.version) GLOBAL IN (
    SELECT report.station, report.observedAt, report.type, report.fingerprint, report.version
    FROM $reports
    $first
)

-- name: records
-- The current reports of a selection in the order of D12: each row is the JSON text of a record of the contract.
$chosen
SELECT $record
FROM $reports
ORDER BY $order
$limit
FORMAT $format

-- name: columns
-- The same with columns, as the engine prints them for a client. They have the names of columns of the table, so a subquery
-- reads those.
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

-- name: after_cursor
-- What follows a cursor, among rows that start at its minute: rows of that minute that come before the cursor, in the order
-- of the request, are left out. One comparison of tuples over the whole range would keep every granule of the primary index.
NOT (report.observedAt = {afterTime:DateTime('UTC')}
    AND (report.station, toInt8(report.type), report.fingerprint)
        $before ({afterStation:String}, {afterType:Int8}, {afterFingerprint:UInt32}))

-- name: until_last
-- What comes before the end of a stream, among rows that end with its minute.
NOT (report.observedAt = {lastTime:DateTime('UTC')}
    AND (report.station, toInt8(report.type), report.fingerprint)
        $behind ({lastStation:String}, {lastType:Int8}, {lastFingerprint:UInt32}))

-- name: stored_parts
-- The parts of a table of reports. Rows and times come from the metadata of the parts: no row is read.
SELECT
    _part AS name,
    toUInt32(count()) AS rows,
    shardNum() AS shard,
    _partition_id AS partition,
    toUnixTimestamp(min(observedAt)) AS `from`,
    toUInt32(toUnixTimestamp(max(observedAt)) + 1) AS `to`
FROM $table
GROUP BY shardNum(), _part, _partition_id

-- name: row_count
-- The rows of a range that meet its condition, replaced versions and retractions included: never fewer than its records, for
-- the highest version of each record is among them.
SELECT toUInt32(count()) AS rows
FROM $rows
$andMeets

-- name: candidate_rows
-- The rows of the granules that can meet a condition, by the primary index and those of the columns. No row is read.
EXPLAIN ESTIMATE SELECT 1
FROM $rows
$andMeets

-- name: range_end
-- The last record that a stream may hold, and the record after it, if any. The columns have no other names: a condition would
-- compare a column of that name instead of the table's.
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
-- The current reports of a window. `raw` is made of `observedAt`, so nothing else has that name: a Distributed table takes an
-- alias for the column.
SELECT
    toUnixTimestamp(observedAt) AS seconds,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version,
    counts,
    isNotNull(nil) AS nil
FROM $reports FINAL
WHERE $ofStation
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
