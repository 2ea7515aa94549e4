-- name: sample
-- The reports that count, of a range of some stations, and of some seconds before and after it.
station_observations FINAL
WHERE $stations
    AND observedAt >= {from:DateTime('UTC')} - $before
    AND observedAt < {to:DateTime('UTC')} + $after
    AND $counted

-- name: values
-- The values of the groups of a sample. `local` is the local time of a report, and `localHour` that of its nominal hour, which
-- may begin after the report. `_station` is the place of the station in the list.
WITH
    $local AS local,
    $localHour AS localHour,
    counts = 'hour' AS isFirst
SELECT
    $station AS _station,
    $columns
FROM $sample
GROUP BY $groups

-- name: merged
-- The values of groups, from rows of their reports and from rows of `periods.sql`.
SELECT
    _station,
    $columns
FROM
(
    $rows
)
GROUP BY $groups

-- name: months
-- Days of stations as months: the means, greatest and least values of the days, and which days of the month have the value, a
-- bit for each. The values of a day are one array: with an expression for each the server takes much longer to plan.
SELECT
    _station,
    toYear(date) AS year,
    toMonth(date) AS month,
    toUInt32(sum(n)) AS n,
    avgForEach(ofDay),
    maxForEach(ofDay),
    minForEach(ofDay),
    groupBitOrForEach(known)
FROM
(
    SELECT
        _station,
        toDate(_group0) AS date,
        n,
        [$valuesOfDay] AS ofDay,
        arrayMap(value -> if(isNull(value), 0, bitShiftLeft(toUInt32(1), toDayOfMonth(date) - 1)), ofDay) AS known
    FROM ($days)
)
GROUP BY _station, year, month
ORDER BY _station, year, month
