-- name: reports
SELECT
    $columns
FROM $currentReports
ORDER BY report.station, report.observedAt, report.type, report.fingerprint
FORMAT Parquet

-- name: station_states
-- The checksum changes with any report or version.
SELECT
    station,
    toUInt32(count()) AS reports,
    toString(sum(cityHash64(observedAt, type, fingerprint, version, source, decoder))) AS checksum
FROM $currentReports
GROUP BY station
ORDER BY station

-- name: slices
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    toDate32(first) AS firstDay,
    toDate32(done) AS doneDay,
    toDate32(end) AS endDay,
    toInt64(reports) AS reports,
    toInt64(inserted) AS inserted,
    CAST(skipped, 'Map(String, Int64)') AS skipped,
    toDateTime64(recordedAt, 6, 'UTC') AS recordedAt,
    CAST(run, 'String') AS run,
    CAST(counts, 'Array(Int64)') AS reportsByDay
FROM
(
    $slices
)
ORDER BY source, station, firstDay, recordedAt, run
FORMAT Parquet

-- name: cut_slices
-- A row that extends beyond the range is cut to it and counts what the archive held for its days.
SELECT
    slices.source AS source,
    slices.station AS station,
    greatest(slices.firstDay, {firstDay:Date}) AS first,
    least(slices.endDay, {endDay:Date}) AS end,
    greatest(first, least(slices.doneDay, end)) AS done,
    arraySlice(slices.reportsByDay, 1 + toUInt32(dateDiff('day', slices.firstDay, first)), toUInt32(dateDiff('day', first, done))) AS counts,
    if(
        first = slices.firstDay AND end = slices.endDay,
        slices.reports,
        toUInt32(arraySum(counts))) AS reports,
    slices.inserted AS inserted,
    slices.skipped AS skipped,
    slices.recordedAt AS recordedAt,
    slices.run AS run
FROM slices
WHERE (empty({stations:Array(String)}) OR slices.station IN {stations:Array(String)})
    AND slices.firstDay < {endDay:Date}
    AND slices.endDay > {firstDay:Date}
    AND concat(source, ' ', station, ' ', toString(slices.firstDay), ' ', toString(slices.doneDay)) NOT IN {lost:Array(String)}

-- name: days_of_listed_stations
-- A ledger row per day for what a load of all stations did for some listed ones, with the archive's current counts.
WITH daily AS
(
    SELECT station, toDate(observedAt) AS day, toUInt32(count()) AS reports
    FROM $currentReports
    GROUP BY station, day
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

-- name: sightings
-- The first and last report of each station, year and source that has sent any, even if the text of another source is stored.
-- Years that the range cuts are left out.
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    toInt32(year) AS year,
    toDateTime64(min(coverage.firstReport), 6, 'UTC') AS firstReport,
    toDateTime64(max(coverage.lastReport), 6, 'UTC') AS lastReport
FROM coverage
WHERE coverage.firstReport IS NOT NULL
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND makeDate(year, 1, 1) >= {firstDay:Date}
    AND least(makeDate(year + 1, 1, 1), today() + 1) <= {endDay:Date}
GROUP BY source, station, year
ORDER BY source, station, year
FORMAT Parquet

-- name: stations
-- Listings, with the newest period of record that the source states.
SELECT CAST(source, 'String') AS source, CAST(station, 'String') AS station, firstDay, lastDay, toDateTime64(listedAt, 6, 'UTC') AS listedAt
FROM stations FINAL
WHERE empty({stations:Array(String)}) OR station IN {stations:Array(String)}
ORDER BY source, station
FORMAT Parquet

-- name: station_descriptions
SELECT
    * REPLACE (
        CAST(station, 'String') AS station,
        CAST(source, 'String') AS source,
        CAST(country, 'Nullable(String)') AS country,
        toDateTime64(fetchedAt, 6, 'UTC') AS fetchedAt,
        toInt32(rank) AS rank,
        toInt32(elevationRank) AS elevationRank)
FROM station_descriptions FINAL
WHERE empty({stations:Array(String)}) OR station IN {stations:Array(String)}
ORDER BY station, source
FORMAT Parquet

-- name: hidden_reports
SELECT
    CAST(station, 'String') AS station,
    toDateTime64(hidden_reports.observedAt, 6, 'UTC') AS observedAt,
    toInt64(fingerprint) AS fingerprint,
    CAST(type, 'String') AS type,
    reason,
    isHidden,
    toDateTime64(hidden_reports.at, 6, 'UTC') AS at
FROM hidden_reports
WHERE empty({stations:Array(String)}) OR station IN {stations:Array(String)}
ORDER BY station, observedAt, fingerprint, at
FORMAT Parquet
