-- name: conflicts
-- Stations where two loaders wrote at the same time, and neither saw the rows of the other: a report is current under both
-- types, or what counts is not one report for each minute and type, and the first METAR of each nominal hour.
SELECT station
FROM $reports FINAL
WHERE $ofStation
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
GROUP BY station
HAVING count() != uniqExact(observedAt, fingerprint)
    OR countIf(counts != 'no') != uniqExactIf((observedAt, type), $canCount)
    OR sumIf(toUInt32(observedAt), counts = 'hour')
        != arraySum(minMapIf([$nominalHour], [toUInt32(observedAt)], type = 'METAR' AND $canCount).2)
    $orHidden

-- name: hidden_reports
-- The reports that are hidden.
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

-- name: hidden_keys
-- Their keys.
SELECT station, observedAt, fingerprint
FROM hidden_reports
GROUP BY station, observedAt, fingerprint
HAVING argMax(isHidden, at)

-- name: repeated_reports
-- How many reports of each station a table has more than once: under both types. In the order of the table, so that it needs
-- no memory for all of them.
SELECT station, toUInt32(sum(more)) AS reports
FROM
(
    SELECT report.station AS station, report.observedAt AS at, count() - uniqExact(report.fingerprint) AS more
    FROM $table AS report FINAL
    WHERE $ofStations
        AND report.observedAt >= {from:DateTime('UTC')}
        AND report.observedAt < {to:DateTime('UTC')}
        AND NOT report.retracted
    GROUP BY report.station, report.observedAt
    HAVING more > 0
)
GROUP BY station
ORDER BY station

-- name: minute_histogram
-- How many reports each station has at each minute of the hour in a window, by type. `typeSent` says whether the source
-- sent the type. Reports that their source calls SPECI are left out: they say nothing about the minutes of routine
-- reports. In the table that is written last: what it lacks of new types, because a loader was killed, is written again.
SELECT
    station,
    toMinute(observedAt) AS minute,
    type,
    startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI ') OR source IN {typedSources:Array(String)} AS typeSent,
    toUInt32(count()) AS reports
FROM station_observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
GROUP BY station, minute, type, typeSent
HAVING NOT (typeSent AND type = 'SPECI')

-- name: outdated_years
-- Years with rows of an older version of the decoder, whether or not newer rows have replaced them since.
SELECT DISTINCT toYear(observedAt) AS year
FROM station_observations
WHERE decoder < {decoder:UInt16}
    AND NOT retracted
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
ORDER BY year DESC

-- name: outdated_counts
-- How many reports of each station were last decoded by an older version of the decoder.
SELECT station, toUInt32(count()) AS reports
FROM $currentReports
    AND decoder < {decoder:UInt16}
GROUP BY station
ORDER BY station

-- name: outdated_reports
-- The reports that were last decoded by an older version of the decoder.
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
-- The stations with reports of a source and of others.
SELECT station
FROM station_observations
WHERE NOT retracted
GROUP BY station
HAVING countIf(source = {source:String}) > 0
    AND countIf(source != {source:String}) > 0

-- name: missing_rows
-- The rows of a window that one table of reports has and the other lacks. (A cluster runs the subquery once, over all
-- shards.)
FROM $from FINAL
WHERE $ofStations
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND (station, observedAt, type, fingerprint, version) GLOBAL NOT IN
    (
        SELECT station, observedAt, type, fingerprint, version
        FROM $to
        WHERE $ofStations
            AND observedAt >= {from:DateTime('UTC')}
            AND observedAt < {to:DateTime('UTC')}
    )

-- name: count_missing_rows
-- How many they are.
SELECT toUInt32(count()) AS rows
$missingRows

-- name: copy_missing_rows
-- Adds them to the table that lacks them.
INSERT INTO $to (observedAt, station, type, fingerprint, version, retracted, counts, source, text, clean, decoder, $fields)
SELECT observedAt, station, type, fingerprint, version, retracted, counts, source, text, clean, decoder, $fields
$missingRows

-- name: months_with_reports
-- The months of a window in which either table of reports has rows.
SELECT DISTINCT toUnixTimestamp(toDateTime(toStartOfMonth(observedAt), 'UTC')) AS month
FROM $table
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}

-- name: open_writers
-- The loaders that have not ended in good order.
SELECT
    run,
    toUnixTimestamp(writers.`from`) AS `from`,
    toUnixTimestamp(writers.`to`) AS `to`,
    at < now() - {ended:UInt32} AS hasEnded
FROM writers FINAL
WHERE isOpen
    AND run != {run:String}

-- name: active_loaders
-- The loaders that write reports of a window, or have done so since a time. A removal is not one of them.
SELECT run
FROM writers FINAL
WHERE NOT startsWith(run, 'remove ')
    AND ((isOpen AND at >= now() - {ended:UInt32}) OR at > fromUnixTimestamp64Milli({sinceMs:Int64}))
    AND writers.`from` < toDateTime({to:UInt32}, 'UTC')
    AND writers.`to` > toDateTime({from:UInt32}, 'UTC')

-- name: station_rows
-- How many rows a table has of some stations in a window, of any version.
SELECT toUInt32(count()) AS rows
FROM $table
WHERE station IN {stations:Array(String)}
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}

-- name: source_listing
-- Whether a source lists any station.
SELECT station
FROM stations
WHERE source = {source:String}
LIMIT 1

-- name: delete_rows
-- Removes rows from a table, and from its disk; complete when it returns.
ALTER TABLE $table
    DELETE WHERE $condition
SETTINGS mutations_sync = 2

-- name: station_months
-- The first and the last report of each month of stations, all if none is named, in a window.
SELECT
    station,
    toUInt32(arrayJoin([min(observedAt), max(observedAt)])) AS observedAt
FROM station_observations
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND station_observations.observedAt >= {from:DateTime('UTC')}
    AND station_observations.observedAt < {to:DateTime('UTC')}
    AND (empty({source:String}) OR source = {source:String})
GROUP BY station, toYYYYMM(station_observations.observedAt)
