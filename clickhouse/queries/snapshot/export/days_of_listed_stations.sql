-- A ledger row per day for what a load of all stations did for some listed ones, with the archive's current counts.
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
