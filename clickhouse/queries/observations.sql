-- name: highest_versions
-- The highest version of each selected report, retracted ones too. The enclosing statement checks any other condition,
-- because an older version could meet it. Where rows are read in this order, only versions of one report are sorted. (FINAL
-- would do the same as LIMIT BY, but cannot use the projection.)
SELECT
    observedAt,
    station,
    type,
    fingerprint,
    retracted
    $columns
FROM observations
WHERE $selected
ORDER BY
    $order,
    version DESC
LIMIT 1 BY $order

-- name: page
-- One page, in the order of D12: each row is the JSON text of a record of the contract.
--
-- A key may occur several times until a merge. Its highest version comes first, and the reader of these rows keeps only
-- that.
$chosen
SELECT $record
FROM observations AS report
WHERE $selected
ORDER BY observedAt, station, type, fingerprint, version DESC
LIMIT {rows:UInt32}
FORMAT TSVRaw

-- name: reports
-- The current reports of a closed selection, in the order of D12, as the engine prints them for a client or a file.
SELECT
    $columns
FROM $reports
$limit
FORMAT $format

-- name: after_cursor
-- What follows a cursor, among rows that start at its minute: rows of that minute that come before the cursor are left
-- out. One comparison of tuples over the whole range would keep every granule of the primary index.
NOT (observedAt = {afterTime:DateTime('UTC')}
    AND (station, toInt8(type), fingerprint) <= ({afterStation:String}, {afterType:Int8}, {afterFingerprint:UInt32}))

-- name: until_last
-- What comes before the end of a stream, among rows that end with its minute.
NOT (observedAt = {lastTime:DateTime('UTC')}
    AND (station, toInt8(type), fingerprint) > ({lastStation:String}, {lastType:Int8}, {lastFingerprint:UInt32}))

-- name: of_matches
-- The reports with a row that meets a condition, in any version; the highest version is checked again. A set of codes as text
-- takes 1.2 times as long as one of numbers. (A cluster runs the subquery once, over all shards.)
(CRC32(station), observedAt) GLOBAL IN (SELECT CRC32(station), observedAt FROM observations WHERE $selected AND ($meets))

-- name: matches
-- How many rows meet a condition in each slot of a window. Replaced versions count too: this sorts nothing and reads
-- only the fields that the condition names.
SELECT
    intDiv(toUnixTimestamp(observedAt) - {from:UInt32}, {slotSeconds:UInt32}) AS slot,
    toUInt32(count()) AS matches
FROM observations
WHERE $selected
    AND ($meets)
GROUP BY slot
ORDER BY slot

-- name: row_count
-- The rows of a range, and those of them that meet its condition, replaced versions and retractions included: never fewer
-- than its records, for the highest version of each record is among them.
SELECT
    toUInt32(count()) AS rows,
    $matches AS matches
FROM observations
WHERE $selected

-- name: range_end
-- The last record that a stream may hold, and the record after it, if any. Reads only key columns.
SELECT
    toUnixTimestamp(report.observedAt) AS observedAt,
    report.station AS station,
    report.type AS type,
    leftPad(lower(hex(report.fingerprint)), 8, '0') AS fingerprint
FROM $reports
LIMIT {recordsBefore:UInt32}, 2

-- name: current_reports_of_all
-- The current reports of a window, of every station: the highest version of each that is not retracted.
SELECT observedAt, station, type, fingerprint, version, source, raw, decoder, nil
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted

-- name: stored_reports
-- All rows of a window, replaced versions and retractions included: the reader keeps the highest version of each key.
-- (FINAL would do the same, but cannot use the projection.) `raw` is made of `observedAt`, so nothing else has that name: a
-- Distributed table takes an alias for the column.
SELECT
    toUnixTimestamp(observedAt) AS seconds,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version,
    retracted
FROM observations
WHERE $ofStation
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
