-- name: conflicts
-- Two loaders wrote at the same time: a report is current under both types, or what counts is not one report for each minute and
-- type, and the first METAR of each nominal hour. Arrays take half of the time of a map of the hours.
WITH
    arraySort(groupArrayIf(toUInt32(observedAt), type = 'METAR' AND $canCount)) AS times,
    arrayMap(observedAt -> $nominalHour, times) AS hours
SELECT station
FROM $reports FINAL
WHERE $ofStation
    AND $within(observedAt)
    AND NOT retracted
GROUP BY station
HAVING count() != uniqExact(observedAt, fingerprint)
    OR countIf(counts != 'no') != uniqExactIf((observedAt, type), $canCount)
    OR sumIf(toUInt32(observedAt), counts = 'hour')
        != arraySum((time, hour, before) -> if(hour = before, 0, time), times, hours, arrayPopBack(arrayPushFront(hours, 0)))
    $orHidden

-- name: hidden_reports
SELECT
    station,
    toUnixTimestamp(hidden_reports.observedAt) AS observedAt,
    CAST(argMax(hidden_reports.type, hidden_reports.at), 'String') AS type,
    leftPad(lower(hex(hidden_reports.fingerprint)), 8, '0') AS fingerprint,
    argMax(hidden_reports.reason, hidden_reports.at) AS reason,
    formatDateTime(max(hidden_reports.at), '%Y-%m-%dT%H:%i:%SZ') AS at
FROM hidden_reports
GROUP BY station, hidden_reports.observedAt, hidden_reports.fingerprint
HAVING argMax(isHidden, hidden_reports.at)
ORDER BY station, hidden_reports.observedAt, hidden_reports.fingerprint

-- name: next_note
-- In milliseconds: the time of the server, but after all notes, because the newest one counts. A restored note may be of a
-- server whose clock was ahead.
SELECT toFloat64(greatest(toUnixTimestamp64Milli(now64(3)), toUnixTimestamp64Milli(max(at)) + 1)) AS next
FROM hidden_reports

-- name: hidden_keys
SELECT station, observedAt, fingerprint
FROM hidden_reports
GROUP BY station, observedAt, fingerprint
HAVING argMax(isHidden, at)

-- name: repeated_reports
-- Reports stored under both types. Grouped in the order of the table, so that not all reports are in memory.
SELECT station, toUInt32(sum(more)) AS reports
FROM
(
    SELECT report.station AS station, report.observedAt AS at, count() - uniqExact(report.fingerprint) AS more
    FROM $table AS report FINAL
    WHERE $ofStations
        AND $within(report.observedAt)
        AND NOT report.retracted
    GROUP BY report.station, report.observedAt
    HAVING more > 0
)
GROUP BY station
ORDER BY station

-- name: minute_histogram
-- Numbers of reports by minute of the hour and type, in the table that is written last. Reports that their source calls SPECI are
-- left out, because they say nothing about the minutes of routine reports.
SELECT
    station,
    toMinute(observedAt) AS minute,
    type,
    startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI ') OR source IN {typedSources:Array(String)} AS typeSent,
    toUInt32(count()) AS reports
FROM station_observations FINAL
WHERE $within(observedAt)
    AND NOT retracted
GROUP BY station, minute, type, typeSent
HAVING NOT (typeSent AND type = 'SPECI')

-- name: outdated_years
-- Years with rows of older decoders, even if newer rows have replaced them.
SELECT DISTINCT toYear(observedAt) AS year
FROM station_observations
WHERE decoder < {decoder:UInt16}
    AND NOT retracted
    AND $within(observedAt)
ORDER BY year DESC

-- name: outdated_counts
SELECT station, toUInt32(count()) AS reports
FROM $currentReports
    AND decoder < {decoder:UInt16}
GROUP BY station
ORDER BY station

-- name: outdated_reports
SELECT
    toUnixTimestamp(observedAt) AS observedAt,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version,
    counts,
    isNotNull(nil) AS nil,
    ifNull(cor, 0) + ifNull(cor_number, 0) AS correction
FROM $currentReports
    AND decoder < {decoder:UInt16}

-- name: shared_stations
SELECT station
FROM station_observations
WHERE NOT retracted
GROUP BY station
HAVING countIf(source = {source:String}) > 0
    AND countIf(source != {source:String}) > 0

-- name: missing_rows
-- Rows that one table of reports has and the other lacks. (A cluster runs the subquery once, over all shards.)
FROM $from FINAL
WHERE $ofStations
    AND $within(observedAt)
    AND (station, observedAt, type, fingerprint, version) GLOBAL NOT IN
    (
        SELECT station, observedAt, type, fingerprint, version
        FROM $to
        WHERE $ofStations
            AND $within(observedAt)
    )

-- name: count_missing_rows
SELECT toUInt32(count()) AS rows
$missingRows

-- name: copy_missing_rows
INSERT INTO $to (observedAt, station, type, fingerprint, version, retracted, counts, source, text, clean, decoder, $fields)
SELECT observedAt, station, type, fingerprint, version, retracted, counts, source, text, clean, decoder, $fields
$missingRows

-- name: other_writers
SELECT
    groupArrayIf(
        (run, writers.`from`, writers.`to`, at < now() - {ended:UInt32})::Tuple(run String, `from` UInt32, `to` UInt32, hasEnded Bool),
        isOpen) AS open,
    groupBitXor(sipHash64(run, at, isOpen)) AS state,
    (SELECT toUInt32(count()) FROM hidden_reports) AS hiddenRows
FROM writers FINAL
WHERE run != {run:String}

-- name: active_loaders
-- Loaders that write, or have written since a time. A removal is not a loader.
SELECT run
FROM writers FINAL
WHERE NOT startsWith(run, 'remove ')
    AND ((isOpen AND at >= now() - {ended:UInt32}) OR at > fromUnixTimestamp64Milli({sinceMs:Int64}))
    AND writers.`from` < toDateTime({to:UInt32}, 'UTC')
    AND writers.`to` > toDateTime({from:UInt32}, 'UTC')

-- name: station_rows
SELECT toUInt32(count()) AS rows
FROM $table
WHERE station IN {stations:Array(String)}
    AND $within(observedAt)

-- name: source_listing
SELECT station
FROM stations
WHERE source = {source:String}
LIMIT 1

-- name: delete_rows
-- Deletes the rows from the disk too, and returns when they are gone.
ALTER TABLE $table
    DELETE WHERE $condition
SETTINGS mutations_sync = 2

-- name: station_months
SELECT
    station,
    toUInt32(arrayJoin([min(observedAt), max(observedAt)])) AS observedAt
FROM station_observations
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND $within(station_observations.observedAt)
    AND (empty({source:String}) OR source = {source:String})
GROUP BY station, toYYYYMM(station_observations.observedAt)
