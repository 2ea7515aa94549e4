-- name: usual_volume
-- The median of the reports a day in the three nearest slices of a source and station, of those that are done to their
-- last day. Slices never proved complete, such as those of files, have no done day.
SELECT quantileExactInclusive(0.5)(reports / dateDiff('day', firstDay, endDay)) AS reportsPerDay
FROM (
    SELECT firstDay, endDay, reports
    FROM slices
    WHERE source = {source:String}
        AND station = {station:String}
        AND provenDay = endDay
        AND (endDay <= {firstDay:Date} OR firstDay >= {endDay:Date})
    ORDER BY abs(dateDiff('day', firstDay, {firstDay:Date}))
    LIMIT 3
)
HAVING count() > 0

-- name: slice_history
-- The rows of the ledger, or of that of a snapshot, that begin in a range and have made days done, of some stations or of
-- all. Slices end at New Year, so those of a calendar year begin in it.
SELECT
    source,
    station,
    firstDay,
    doneDay,
    endDay,
    reports,
    run,
    reportsByDay,
    toUnixTimestamp(toDateTime(recordedAt, 'UTC')) AS recordedAt
FROM $ledger
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)} OR station = '*')
    AND firstDay >= {firstDay:Date}
    AND firstDay < {endDay:Date}
    AND firstDay < doneDay

-- name: sample_slices
-- A random sample of the slices that are done, cut to a range of days. A slice of a station that its source does not
-- list is not done (D13).
SELECT DISTINCT
    source,
    station,
    toString(greatest(slices.firstDay, toDate({firstDay:Date32}))) AS firstDay,
    toString(least(slices.provenDay, toDate({endDay:Date32}))) AS endDay
FROM slices
WHERE source IN {sources:Array(String)}
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND (station = '*' OR (source, station) IN (SELECT source, station FROM stations))
    AND slices.firstDay < slices.provenDay
    AND slices.firstDay < {endDay:Date32}
    AND slices.provenDay > {firstDay:Date32}
ORDER BY rand()
LIMIT {sample:UInt32}

-- name: asked_days
-- The days that loads have asked for, done or not, by station and source. Synthetic reports are left out. `loads` has
-- those of which no slice was received; the ledger has those of `follow`, imports and killed loads.
SELECT
    station,
    source,
    groupUniqArray((toString(asked.firstDay), toString(asked.endDay))) AS ranges
FROM
(
    SELECT station, source, firstDay, endDay
    FROM slices
    UNION ALL
    SELECT arrayJoin(stations) AS station, source, firstDay, endDay
    FROM loads
) AS asked
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)} OR station = '*')
    AND asked.firstDay < {endDay:Date32}
    AND asked.endDay > {firstDay:Date32}
    AND source != 'demo'
GROUP BY station, source

-- name: load_costs
-- What the last loads of a source took, by day and by slice.
SELECT
    sum(bytes) / sum(stationDays) AS bytesPerDay,
    sum(requests) / sum(slices) AS requestsPerSlice,
    sum(seconds) / sum(slices) AS secondsPerSlice
FROM
(
    SELECT *
    FROM loads
    WHERE source = {source:String}
        AND (stations = ['*']) = {allStations:Bool}
        AND stationDays > 0
    ORDER BY endedAt DESC
    LIMIT 20
)
HAVING count() > 0

-- name: last_loads
-- The last load of each source that loaded anything, and the last that failed. A time of 0 means none.
SELECT
    source,
    toUnixTimestamp(maxIf(endedAt, slices > 0)) AS loadedAt,
    argMaxIf(loads.inserted, endedAt, slices > 0) AS inserted,
    toUnixTimestamp(maxIf(endedAt, loads.failure != '')) AS failedAt,
    argMaxIf(loads.failure, endedAt, loads.failure != '') AS failure
FROM loads
GROUP BY source
ORDER BY source

-- name: rebuild_done_days
-- Rebuilds the done days of a calendar year from the ledger, as its materialized view does row by row.
INSERT INTO coverage (station, year, source, days)
SELECT station, toYear(day) AS year, source, groupBitmapState(toUInt16(toDayOfYear(day))) AS days
FROM
(
    SELECT
        station,
        source,
        arrayJoin(range(toUInt32(firstDay), toUInt32(provenDay)))::UInt16::Date AS day
    FROM slices
    WHERE firstDay < toDate({to:DateTime('UTC')})
        AND provenDay > toDate({from:DateTime('UTC')})
)
WHERE day >= toDate({from:DateTime('UTC')})
    AND day < toDate({to:DateTime('UTC')})
GROUP BY station, year, source

-- name: rebuild_report_hours
-- Rebuilds the hours, first and last report of a calendar year from the reports, as their materialized view does insert
-- by insert. NIL means a missing report, so it does not count; a station with nothing else gets a row without hours,
-- which makes it known. `nilOnly`: only these rows, if the view already has the hours.
INSERT INTO coverage (station, year, source, hours, reportDays, firstReport, lastReport)
WITH nil IS NULL AS isObservation
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapStateIf(toUInt16((toDayOfYear(observedAt) - 1) * 24 + toHour(observedAt)), isObservation) AS hours,
    groupBitmapStateIf(toUInt16(toDayOfYear(observedAt)), isObservation) AS reportDays,
    minIf(toNullable(observedAt), isObservation) AS firstReport,
    maxIf(toNullable(observedAt), isObservation) AS lastReport
FROM observations
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND (NOT {nilOnly:Bool} OR NOT isObservation)
GROUP BY station, year, source

-- name: early_claims
-- All rows of the sources and stations of which some row makes days done that had not ended 72 hours before it was
-- recorded, by the clock of the server.
SELECT
    source,
    station,
    groupArray((toString(firstDay), toString(provenDay), toString(doneDay))) AS claims
FROM slices
WHERE (source, station) IN (SELECT source, station FROM slices WHERE provenDay < doneDay)
GROUP BY source, station
ORDER BY source, station

-- name: withdraw_days
-- Days of a year that are no longer done. A mutation changes no other column, so nobody sees the year without its
-- reports.
ALTER TABLE coverage
    UPDATE days = bitmapAndnot(days, bitmapBuild({days:Array(UInt16)}))
    WHERE year = {year:UInt16}
        AND $ofRows
SETTINGS mutations_sync = 2

-- name: withdraw_claims
-- Ends the rows of the ledger where the clock of the server proves them (`provenDay`, by functions that a replicated
-- table allows in a mutation).
ALTER TABLE slices
    UPDATE
        doneDay = $provenDay,
        reportsByDay = arraySlice(reportsByDay, 1, dateDiff('day', firstDay, $provenDay))
    WHERE doneDay > $provenDay
SETTINGS mutations_sync = 2

-- name: list_stations_again
-- Lists the stations of which a source has sent something, without their periods of record.
INSERT INTO stations (source, station)
SELECT DISTINCT source, station
FROM coverage
WHERE station != '*'
    AND (source, station) NOT IN (SELECT source, station FROM stations)

-- name: stations_listed_by
-- The stations that a source lists, without some.
SELECT DISTINCT station
FROM stations
WHERE source = {source:String}
    AND station NOT IN {stations:Array(String)}

-- name: remove_hours
-- Hours of some days of a year that no longer have reports. Where the first or the last report of the year was one of them,
-- another takes its place, or none: `keys` are station and source, with `firsts` and `lasts`.
ALTER TABLE coverage
    UPDATE
        hours = bitmapAndnot(hours, bitmapBuild(arrayFlatten(arrayMap(
            day -> arrayMap(hour -> toUInt16(24 * day - 24 + hour), range(24)),
            {days:Array(UInt16)})))),
        reportDays = bitmapAndnot(reportDays, bitmapBuild({days:Array(UInt16)})),
        firstReport = if(
            firstReport >= {from:DateTime('UTC')} AND firstReport < {to:DateTime('UTC')},
            arrayFirstOrNull((time, key) -> key = concat(station, ' ', source), {firsts:Array(DateTime('UTC'))}, {keys:Array(String)}),
            firstReport),
        lastReport = if(
            lastReport >= {from:DateTime('UTC')} AND lastReport < {to:DateTime('UTC')},
            arrayFirstOrNull((time, key) -> key = concat(station, ' ', source), {lasts:Array(DateTime('UTC'))}, {keys:Array(String)}),
            lastReport)
    WHERE station IN {stations:Array(String)}
        AND year = {year:UInt16}
SETTINGS mutations_sync = 2

-- name: reports_outside
-- The first and the last report of a year outside some days of it, by station and source.
SELECT
    concat(station, ' ', source) AS key,
    toUnixTimestamp(min(observedAt)) AS first,
    toUnixTimestamp(max(observedAt)) AS last
FROM station_observations
WHERE station IN {stations:Array(String)}
    AND toYear(observedAt) = {year:UInt16}
    AND (observedAt < {from:DateTime('UTC')} OR observedAt >= {to:DateTime('UTC')})
    AND NOT retracted
    AND nil IS NULL
GROUP BY key
