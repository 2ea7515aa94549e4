-- What days are made of.

-- name: reports
-- The reports that count, in the order of stations and times; in one minute, the special report comes first.
SELECT
    CAST(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0), 'UInt16') AS _station,
    $columns
FROM station_observations FINAL
WHERE station IN {stations:Array(String)}
    AND $within(observedAt)
    AND counts != 'no'
ORDER BY station, observedAt, type = 'METAR'
FORMAT Native

-- name: unreadable
-- The texts of unreadable reports; those of one station and time are joined. PREWHERE reads no other texts. It can also return the
-- text of a version that a readable one has replaced, which the caller does not look up.
SELECT
    CAST(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0), 'UInt16') AS _station,
    toUInt32(observedAt) AS _time,
    arrayStringConcat(groupArray(text), ' ') AS _texts
FROM station_observations FINAL
PREWHERE NOT clean
WHERE station IN {stations:Array(String)}
    AND $within(observedAt)
    AND counts != 'no'
GROUP BY station, observedAt
FORMAT Native

-- name: days
-- Days as numbers, in the order of stations and dates; NaN where absent.
SELECT
    CAST(station, 'String') AS _station,
    toInt32(date) AS _date,
    n AS _n,
    expected AS _expected,
    $columns
FROM $source
ORDER BY station, date
FORMAT Native

-- name: closed_months
-- The months of stations that a loader has closed and no loader has open, with the clock by which their days were computed.
SELECT
    station,
    toUInt32(month),
    argMax(clock, at)
FROM day_months FINAL
WHERE station IN {stations:Array(String)}
    AND month >= {first:UInt16}
    AND month < {end:UInt16}
GROUP BY station, month
HAVING NOT max(isOpen)
    AND argMax(version, at) = {version:UInt16}

-- name: months_to_compute
-- The open months of loaders that have ended, and those that have become old enough, which no loader has opened for some seconds.
-- They are closed by rows with these columns of `day_months` and others.
SELECT
    station,
    toUInt32(month) AS month,
    run
FROM day_months FINAL
WHERE (station, month, run) GLOBAL IN (SELECT station, month, run FROM day_months WHERE isOpen)
    AND isOpen
    AND month < {first:UInt16}
    AND run != {run:String}
    AND at < now64(3) - {quiet:UInt32}
    AND run GLOBAL NOT IN (SELECT run FROM writers FINAL WHERE isOpen)
ORDER BY station, month
LIMIT {most:UInt32}

-- name: months_of_reports
-- The local months that reports of stations (all if none is named) belong to or can affect: those three days (259,200 seconds)
-- before and after each report.
SELECT
    station,
    arraySort(groupUniqArrayArray(arrayMap(
        time -> toUInt32(toYear(time) * 12 + toMonth(time) - 1),
        [observedAt - 259200, observedAt + 259200]))) AS months
FROM station_observations
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND $within(observedAt)
GROUP BY station
ORDER BY station

-- name: next_version
-- In milliseconds: the time of the server, or, if its clock was set back, one more than the greatest stored version. So new rows
-- replace stored ones. The versions of days count too, because a killed loader may have stored days and not closed their months.
SELECT
    toUnixTimestamp64Milli(now64(3)) / 1000 AS time,
    toFloat64(greatest(
        toUnixTimestamp64Milli(now64(3)),
        (SELECT toUnixTimestamp64Milli(max(at)) + 1 FROM day_months),
        (SELECT toUnixTimestamp64Milli(max(at)) + 1 FROM days WHERE station IN {stations:Array(String)}))) AS version

-- name: insert_days
INSERT INTO days ($columns, at)
SELECT $columns, fromUnixTimestamp64Milli({at:Int64}, 'UTC')
FROM input('$structure')
FORMAT Native

-- name: count_months
SELECT toUInt32(count()) AS months
FROM day_months
