-- The ledger of a range of days, for a snapshot of some stations: their own rows, cut to the range as in slices.sql, and
-- a row a day for what a load of all stations has done of them. Of that it says what the archive holds now.
WITH daily AS
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(count()) AS reports
    FROM $currentReports
    GROUP BY
        station,
        day
)
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    toDate32(first) AS firstDay,
    toDate32(done) AS doneDay,
    toDate32(end) AS endDay,
    reports,
    inserted,
    CAST(skipped, 'Map(String, UInt32)') AS skipped,
    toDateTime64(recordedAt, 3, 'UTC') AS recordedAt,
    CAST(run, 'String') AS run,
    counts AS reportsByDay
FROM
(
    SELECT
        slices.source AS source,
        slices.station AS station,
        greatest(slices.firstDay, {firstDay:Date}) AS first,
        least(slices.endDay, {endDay:Date}) AS end,
        greatest(first, least(slices.doneDay, end)) AS done,
        if(
            empty(slices.reportsByDay),
            slices.reportsByDay,
            arraySlice(slices.reportsByDay, 1 + toUInt32(dateDiff('day', slices.firstDay, first)), toUInt32(dateDiff('day', first, done)))) AS counts,
        if(
            first = slices.firstDay AND end = slices.endDay,
            slices.reports,
            toUInt32(arraySum(counts))) AS reports,
        slices.inserted AS inserted,
        slices.skipped AS skipped,
        slices.recordedAt AS recordedAt,
        slices.run AS run
    FROM slices
    WHERE slices.station IN {stations:Array(String)}
        AND slices.firstDay < {endDay:Date}
        AND slices.endDay > {firstDay:Date}
        AND concat(source, ' ', station, ' ', toString(slices.firstDay), ' ', toString(slices.doneDay)) NOT IN {lost:Array(String)}
    UNION ALL
    SELECT
        world.source AS source,
        listed.station AS station,
        world.day AS first,
        world.day + 1 AS end,
        end AS done,
        [daily.reports] AS counts,
        daily.reports AS reports,
        0 AS inserted,
        map() AS skipped,
        world.recordedAt AS recordedAt,
        world.run AS run
    FROM
    (
        SELECT
            source,
            run,
            recordedAt,
            arrayJoin(range(toUInt32(slices.firstDay), toUInt32(slices.doneDay)))::UInt16::Date AS day
        FROM slices
        WHERE station = '*'
            AND concat(source, ' ', station, ' ', toString(slices.firstDay), ' ', toString(slices.doneDay)) NOT IN {lost:Array(String)}
    ) AS world
    INNER JOIN
    (
        SELECT DISTINCT source, station
        FROM stations
        WHERE station IN {stations:Array(String)}
    ) AS listed ON world.source = listed.source
    LEFT JOIN daily ON listed.station = daily.station AND world.day = daily.day
    WHERE world.day >= {firstDay:Date}
        AND world.day < {endDay:Date}
)
ORDER BY
    source,
    station,
    firstDay,
    recordedAt,
    run
FORMAT Parquet
