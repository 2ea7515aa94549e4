-- name: usual_volume
-- The median of the three nearest slices that are done to their last day; those of files have no done day.
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

-- name: has_slice
SELECT run
FROM slices
WHERE source = {source:String}
    AND station = {station:String}
    AND firstDay = {firstDay:Date}
    AND endDay = {endDay:Date}
    AND reports = {reports:UInt32}
LIMIT 1

-- name: slice_history
-- Rows that begin in a range and have done days. No slice crosses a new year, so the slices of a calendar year begin in it.
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
-- A random sample of slices with done days, cut to a range. Those of stations that their source does not list do not count (D13).
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
-- The days that loads requested, done or not, by station; those of all stations by source. `loads` also has loads without a slice,
-- the ledger also the days of `follow`, imports and killed loads.
SELECT
    if(station = '*', concat('* ', source), station) AS key,
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
GROUP BY key

-- name: last_loads
-- For each source, the last load that loaded anything and the last that failed. A time of 0 means that there is none.
SELECT
    source,
    toUnixTimestamp(maxIf(endedAt, slices > 0)) AS loadedAt,
    argMaxIf(loads.inserted, endedAt, slices > 0) AS inserted,
    toUnixTimestamp(maxIf(endedAt, loads.failure != '')) AS failedAt,
    argMaxIf(loads.failure, endedAt, loads.failure != '') AS failure
FROM loads
GROUP BY source
ORDER BY source

-- name: done_days
-- The done days of all slices, as far as the clock of the server proves them (`provenDay`).
WITH toDayOfYear(day) AS number, bitShiftLeft(toUInt256(1), number % 256) AS bit
SELECT
    station,
    toYear(day) AS year,
    source,
    groupBitOrIf(bit, number < 256) AS days,
    groupBitOrIf(bit, number >= 256) AS lateDays
FROM
(
    SELECT station, source, arrayJoin(range(toUInt32(firstDay), toUInt32(provenDay)))::UInt16::Date AS day
    FROM slices
    WHERE $slices
)
WHERE $days
GROUP BY station, year, source

-- name: report_hours
-- A NIL report states that there is no report, so it does not count. A station with only NIL reports gets a row without hours, by
-- which it is known.
WITH toDayOfYear(observedAt) AS day, bitShiftLeft(toUInt256(1), day % 256) AS bit
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapStateIf(toUInt16((day - 1) * 24 + toHour(observedAt)), nil IS NULL) AS hours,
    groupBitOrIf(bit, day < 256 AND nil IS NULL) AS reportDays,
    groupBitOrIf(bit, day >= 256 AND nil IS NULL) AS lateReportDays,
    minIf(toNullable(observedAt), nil IS NULL) AS firstReport,
    maxIf(toNullable(observedAt), nil IS NULL) AS lastReport
FROM $reports
    AND NOT retracted
GROUP BY station, year, source

-- name: observed_reports
SELECT *, {source:String} AS source, false AS retracted
FROM input('station String, observedAt DateTime(\'UTC\'), nil Nullable(Bool)')

-- name: remove_days
-- A mutation changes only these columns, so readers see the reports of the year all the time.
ALTER TABLE coverage
    UPDATE days = bitAnd(days, bitNot(toUInt256({bits:String}))), lateDays = bitAnd(lateDays, bitNot(toUInt256({lateBits:String})))
    WHERE year = {year:UInt16}
        AND (station IN {stations:Array(String)} OR (station = '*' AND source IN {sources:Array(String)}))
SETTINGS mutations_sync = 2

-- name: list_stations_again
-- Lists stations again from which a source has sent something, without their periods of record.
INSERT INTO stations (source, station)
SELECT DISTINCT source, station
FROM coverage
WHERE station != '*'
    AND (source, station) NOT IN (SELECT source, station FROM stations)

-- name: stations_listed_by
SELECT DISTINCT station
FROM stations
WHERE source = {source:String}
    AND station NOT IN {stations:Array(String)}

-- name: remove_hours
-- If the first or last report of the year is removed, the one in `firsts` or `lasts` replaces it; none if `keys` lacks the station.
ALTER TABLE coverage
    UPDATE
        hours = bitmapAndnot(hours, bitmapBuild(arrayFlatten(arrayMap(
            day -> arrayMap(hour -> toUInt16(24 * day - 24 + hour), range(24)),
            {days:Array(UInt16)})))),
        reportDays = bitAnd(reportDays, bitNot(toUInt256({bits:String}))),
        lateReportDays = bitAnd(lateReportDays, bitNot(toUInt256({lateBits:String}))),
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
