-- name: row_count
SELECT toFloat64(num_rows) AS rows
FROM imported_file

-- name: stored_keys
-- The type does not matter, because a report is retracted under one type only if it is stored under the other.
SELECT station, observedAt, fingerprint
FROM station_observations
WHERE station >= {firstStation:String}
    AND station <= {lastStation:String}
    AND $within(station_observations.observedAt)

-- name: file_totals
-- What a file of reports holds, what a load would refuse of it, and what the archive lacks of it.
WITH
    (station, toDateTime(file.observedAt, 'UTC'), $fingerprint) AS id,
    stored = 0 OR id NOT IN ($storedKeys) AS isMissing,
    multiIf(
        lengthUTF8(raw) > {maxLength:UInt32}, 'has a text that is longer than any report',
        source NOT IN {sources:Array(String)}, 'is of a source that this program does not know',
        '') AS reason
SELECT
    anyIf(concat(station, ' at ', toString(file.observedAt), ' ', reason), reason != '') AS refused,
    toUInt32(count() - uniqExact(id)) AS repeated,
    toUInt32((SELECT count() FROM ($storedKeys))) AS stored,
    toUInt32(countIf(isMissing)) AS missing,
    toUInt32(countIf(decoder != {decoder:UInt16})) AS toDecode
FROM imported_file AS file

-- name: file_months
SELECT
    station,
    toUInt32(arrayJoin([min(minute), max(minute)])) AS observedAt
FROM (SELECT station, toDateTime(imported_file.observedAt, 'UTC') AS minute FROM imported_file)
GROUP BY station, toYYYYMM(minute)

-- name: file_rows_to_check
-- Rows that state their fingerprint, which must be that of the text, and those that the archive has in another form (`isOther`).
WITH toDateTime(file.observedAt, 'UTC') AS minute
SELECT
    station,
    toUnixTimestamp(minute) AS observedAt,
    type,
    leftPad(lower(hex($fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    (station, minute, $fingerprint) IN ($storedKeys)
        AND (station, minute, $fingerprint, type, source, cityHash64(raw)) NOT IN
        (
            SELECT station, observedAt, fingerprint, CAST(type, 'String'), source, cityHash64(raw)
            FROM station_observations FINAL
            WHERE station >= {firstStation:String}
                AND station <= {lastStation:String}
                AND $within(station_observations.observedAt)
                AND NOT retracted
        ) AS isOther
FROM imported_file AS file
WHERE isOther
    OR file.fingerprint IS NOT NULL

-- name: missing_reports
-- As rows of the tables of reports, in a format that has an end.
SELECT
    toDateTime(file.observedAt, 'UTC') AS observedAt,
    file.station AS station,
    file.type AS type,
    $fingerprint AS fingerprint,
    file.version AS version,
    file.counts AS counts,
    file.source AS source,
    $text AS text,
    $fields
FROM imported_file AS file
WHERE (file.station, toDateTime(file.observedAt, 'UTC'), $fingerprint) NOT IN ($storedKeys)
FORMAT ArrowStream

-- name: file_records
SELECT station, toUnixTimestamp(toDateTime(imported_file.observedAt, 'UTC')) AS observedAt, type, raw, source
FROM imported_file

-- name: missing_slices
SELECT toUInt32(count()) AS missing
FROM imported_file
WHERE $isMissing

-- name: insert_rows
INSERT INTO $table
SELECT *
FROM input('$structure')
WHERE $isMissing
FORMAT Parquet

-- name: sightings
-- The first and last report of a source, as two reports. Their stored text may be that of another source.
SELECT
    source,
    station,
    toDateTime(arrayJoin([firstReport, lastReport]), 'UTC') AS observedAt,
    NULL AS nil,
    false AS retracted
FROM input('source String, station String, firstReport DateTime64(6, \'UTC\'), lastReport DateTime64(6, \'UTC\')')

-- name: listings_without_period
-- Listings without a period for which the snapshot has one from the same source: as newer rows they would hide that period.
SELECT DISTINCT concat(source, ' ', station) AS listing
FROM imported_file
WHERE (imported_file.firstDay IS NOT NULL OR imported_file.lastDay IS NOT NULL)
    AND (source, station) IN
    (
        SELECT source, station
        FROM stations
        WHERE stations.firstDay IS NULL
            AND stations.lastDay IS NULL
    )
