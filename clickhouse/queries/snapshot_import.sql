-- name: stated_rows
-- How many rows the footer of a Parquet file states, for the file and for its row groups together.
SELECT toFloat64(greatest(num_rows, arraySum(group -> group.num_rows, row_groups))) AS rows
FROM snapshot_file

-- name: stored_keys
-- The reports that the archive has of a file, whatever their type: a report is retracted only where it has another type.
SELECT station, observedAt, fingerprint
FROM station_observations
WHERE station >= {firstStation:String}
    AND station <= {lastStation:String}
    AND station_observations.observedAt >= {from:DateTime('UTC')}
    AND station_observations.observedAt < {to:DateTime('UTC')}

-- name: file_totals
-- What a file of reports holds, and what the archive lacks of it. `malformed` counts rows that no report of an archive
-- can be, that do not belong in this file, or that repeat another one.
SELECT
    toUInt32(count() - uniqExact(station, observedAt, $fingerprint) + countIf(NOT (
        match(station, '^[A-Z][A-Z0-9]{3}$')
        AND station >= {firstStation:String}
        AND station <= {lastStation:String}
        AND observedAt >= {from:DateTime('UTC')}
        AND observedAt < least({to:DateTime('UTC')}, now() + INTERVAL 1 DAY)
        AND toUnixTimestamp64Milli(observedAt) % 60000 = 0
        AND type IN ('METAR', 'SPECI')
        AND parseStatus IN ('parsed', 'failed', 'raw_only')
        AND match(source, '^[a-z][a-z0-9_-]{0,31}$')
        AND decoder <= 255
        AND counts IN ('no', 'minute', 'hour')
        AND notEmpty(raw)))) AS malformed,
    toUInt8(least(min(decoder), 255)) AS oldestDecoder,
    toUInt32((SELECT count() FROM ($storedKeys))) AS stored,
    toUInt32(countIf(stored = 0 OR (station, toDateTime(observedAt, 'UTC'), $fingerprint) NOT IN ($storedKeys))) AS missing
FROM snapshot_file

-- name: file_rows_to_check
-- The rows of a file of reports that the loader checks itself: a sample of about 1,000, whose identity and decoded fields must
-- follow from the text, and those that the archive has with another text, source or type (`isOther`; where it had none of
-- the file, none of its keys is made). The SHA-256 of the manifest vouches for the others.
WITH toDateTime(snapshot_file.observedAt, 'UTC') AS minute
SELECT
    station,
    toUnixTimestamp(minute) AS observedAt,
    type,
    leftPad(lower(hex($fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    decoder,
    CAST(parseStatus = 'parsed', 'Bool') AS clean,
    $fields,
    {isMerged:Bool}
        AND (station, minute, $fingerprint) IN ($storedKeys)
        AND (station, minute, $fingerprint, type, source, cityHash64(raw)) NOT IN
        (
            SELECT station, observedAt, fingerprint, CAST(type, 'String'), source, cityHash64(raw)
            FROM station_observations FINAL
            WHERE station >= {firstStation:String}
                AND station <= {lastStation:String}
                AND station_observations.observedAt >= {from:DateTime('UTC')}
                AND station_observations.observedAt < {to:DateTime('UTC')}
                AND NOT retracted
        ) AS isOther
FROM snapshot_file
WHERE isOther
    OR cityHash64(raw) % {sampledEach:UInt32} = 0

-- name: insert_reports
-- Adds the reports of a file that the archive lacks. Those to decode again are stored as not parsed, with decoder 0.
INSERT INTO $table (observedAt, station, type, fingerprint, version, retracted, counts, source, text, clean, decoder, $names)
SELECT
    toDateTime(file.observedAt, 'UTC'),
    file.station,
    file.type,
    $fingerprint AS reportFingerprint,
    transform(file.source, {sources:Array(String)}, {versions:Array(UInt32)}, toUInt32(0)),
    false,
    file.counts,
    file.source,
    $text,
    file.parseStatus = 'parsed' AND NOT {decodeAgain:Bool},
    if({decodeAgain:Bool}, 0, file.decoder),
    $values
FROM input('$structure') AS file
WHERE (file.station, toDateTime(file.observedAt, 'UTC'), reportFingerprint) NOT IN ($storedKeys)
FORMAT Parquet

-- name: file_records
-- The records of a file that the api has sent, or of a file of reports.
SELECT station, toUnixTimestamp(toDateTime(record_file.observedAt, 'UTC')) AS observedAt, type, raw, source
FROM record_file

-- name: slice_totals
-- What the ledger of a snapshot holds: how many rows no loader has written, or claim more than the snapshot says it holds,
-- and the calendar years of which rows make days done.
SELECT
    toUInt32(countIf(NOT (
        match(source, '^[a-z][a-z0-9_-]{0,31}$')
        AND (match(station, '^[A-Z][A-Z0-9]{3}$') OR station = '*')
        AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
        AND firstDay >= {firstDay:Date32}
        AND endDay <= {endDay:Date32}
        AND firstDay < endDay
        AND firstDay <= doneDay
        AND doneDay <= endDay
        AND doneDay <= greatest(firstDay, {provisionalFrom:Date32})
        AND length(reportsByDay) = dateDiff('day', firstDay, doneDay)
        AND recordedAt <= now() + INTERVAL 1 DAY))) AS malformed,
    arraySort(groupUniqArrayIf(toYear(firstDay), firstDay < doneDay)) AS years
FROM snapshot_file

-- name: missing_slices
-- How many rows of the ledger of a snapshot the archive lacks.
SELECT toUInt32(count()) AS missing
FROM snapshot_file
WHERE $isMissing

-- name: insert_rows
-- Adds the rows of a table that the archive lacks.
INSERT INTO $table
SELECT *
FROM input('$structure')
WHERE $isMissing
FORMAT Parquet

-- name: malformed_rows
-- How many rows of a snapshot table cannot come from a loader, or repeat another one.
SELECT toUInt32(count() - uniqExact($key) + countIf(NOT (
    match(source, '^[a-z][a-z0-9_-]{0,31}$')
    AND match(station, '^[A-Z][A-Z0-9]{3}$')
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND $sound))) AS malformed
FROM snapshot_file

-- name: insert_sightings
-- Records in `coverage` that a source has sent its first and last reports, even if another source's text is stored.
INSERT INTO sightings (source, station, year, hours, firstReport, lastReport)
SELECT
    source,
    station,
    year,
    arrayDistinct(arrayMap(
        time -> toUInt16((toDayOfYear(time) - 1) * 24 + toHour(time)),
        [toDateTime(file.firstReport, 'UTC'), toDateTime(file.lastReport, 'UTC')])),
    toDateTime(file.firstReport, 'UTC'),
    toDateTime(file.lastReport, 'UTC')
FROM input('$structure') AS file
FORMAT Parquet

-- name: listings_without_period
-- Listings of the archive without a period for which the snapshot has one from the same source: as newer rows they
-- would hide it.
SELECT DISTINCT concat(source, ' ', station) AS listing
FROM snapshot_file
WHERE (snapshot_file.firstDay IS NOT NULL OR snapshot_file.lastDay IS NOT NULL)
    AND (source, station) IN
    (
        SELECT source, station
        FROM stations
        WHERE stations.firstDay IS NULL
            AND stations.lastDay IS NULL
    )

-- name: descriptions_of_file
-- What a snapshot says about stations. A name that is cut here is longer than any that a loader stores.
SELECT
    station,
    source,
    substring(name, 1, 1000) AS name,
    country,
    latitude,
    longitude,
    elevation_m,
    substring(timezone, 1, 1000) AS timezone
FROM snapshot_file
