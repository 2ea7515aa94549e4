-- name: stations_in_parts
-- A part that is missing from the result has been merged into another one meanwhile.
SELECT concat(toString(shardNum()), '-', _part) AS part, groupUniqArray(station) AS stations
FROM $table
WHERE _part IN {parts:Array(String)}
GROUP BY shardNum(), _part

-- name: coverage_of_stations
-- `*`, if it is among the stations, means the slices over all. Every column is a set, a minimum or a maximum, so FINAL alone
-- combines rows.
SELECT
    CAST(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0), 'UInt16') AS _station,
    CAST(source, 'String') AS _source,
    year AS _year,
    concat(reinterpretAsFixedString(days), reinterpretAsString(lateDays)) AS _days,
    concat(reinterpretAsFixedString(reportDays), reinterpretAsString(lateReportDays)) AS _reportDays,
    ifNull(toUnixTimestamp(firstReport), 0) AS _first,
    ifNull(toUnixTimestamp(lastReport), 0) AS _last,
    toUInt16(finalizeAggregation(hours)) AS _hours
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
FORMAT Native

-- name: station_listings
-- The newest listing of each of these stations by each of these sources, all if none is named.
SELECT source, station, firstDay, lastDay, toDate(listedAt) AS listedDay
FROM stations FINAL
WHERE station IN {stations:Array(String)}
    AND (empty({sources:Array(String)}) OR source IN {sources:Array(String)})
ORDER BY source

-- name: listed_stations
SELECT DISTINCT station
FROM stations
ORDER BY station

-- name: stations_with_reports
-- In a range within one year. Replaced versions do no harm, and a retracted report is stored again under its new type.
SELECT DISTINCT station
FROM station_observations
WHERE station IN {stations:Array(String)}
    AND $within(observedAt)
    AND NOT retracted
    AND nil IS NULL

-- name: newest_report
-- The newest that is not in the future: one wrong time says nothing of the others. The view has few rows.
SELECT toUnixTimestamp(max(lastReport)) AS newest
FROM coverage
WHERE lastReport <= toDateTime({until:UInt32}, 'UTC')

-- name: report_sources
SELECT DISTINCT source
FROM coverage
WHERE firstReport IS NOT NULL
ORDER BY source

-- name: daily_counts
-- By station and UTC day, counted from 1970-01-01. NIL reports state that a report is missing; the ledger counts them too.
SELECT station, groupArray((toUInt32(day), observations, nilReports)) AS days
FROM
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(countIf(nil IS NULL)) AS observations,
        toUInt32(countIf(nil IS NOT NULL)) AS nilReports
    FROM $currentReports
    GROUP BY station, day
)
GROUP BY station
ORDER BY station

-- name: report_counts
SELECT station, source, toUInt32(count()) AS reports
FROM $currentReports
    AND nil IS NULL
GROUP BY station, source
ORDER BY station, source

-- name: yearly_report_counts
-- By calendar year, without NIL reports. A count of distinct minutes and fingerprints, without versions, costs as much.
SELECT
    station,
    toYear(observedAt) AS year,
    toUInt32(count()) AS reports,
    toUnixTimestamp(min(observedAt)) AS firstReport,
    toUnixTimestamp(max(observedAt)) AS lastReport
FROM $currentReports
    AND nil IS NULL
GROUP BY station, year

-- name: sources_with_reports
SELECT station, source
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
    AND year = {year:UInt16}
    AND bitmapCardinality(bitmapSubsetInRange(coverage.hours, {firstHour:UInt32}, {endHour:UInt32})) > 0
