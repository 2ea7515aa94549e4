-- What days are made of.

-- name: reports
-- The reports that count of some stations and times, in the order of stations and times; of one minute the special report first.
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
-- The texts of unreadable reports, those of one station and time as one. PREWHERE reads no other text. It also takes a version
-- that a readable one has replaced, of which nobody asks.
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
-- The months of stations that a loader has closed and none has open, by the clock of their days.
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
-- The months of local time that reports of stations, all if none is named, can lie in or decide about: 259,200 seconds are three
-- days.
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
-- In milliseconds: the time of the server, or one more than the greatest stored version, where that clock was set back. So rows
-- with it replace stored ones. Days have versions too: a loader that was killed may have stored them and not closed their months.
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
