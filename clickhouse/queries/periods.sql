-- What reports say of a longer time than their own, by the groups of a question. Times are seconds, and hours are whole hours,
-- both counted from 1970-01-01T00:00:00Z.

-- name: kind
-- Whether any report has something of a kind: of a station that never sends such groups indexes say so, and nothing is read.
SELECT '$kind' FROM $sample AND $isGiven LIMIT 1

-- name: peaks
-- Peak winds belong to their own minute, which is up to a day before that of the report (D61).
WITH
    $time AS time,
    $local AS local,
    $localHour AS localHour
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND pk_wspd_kt IS NOT NULL
    AND $counted
GROUP BY $groups

-- name: extremes
-- Extremes of six and of 24 hours on the days in which these hours lie, those of 24 hours as far as the rest of their hours
-- bears them out (D60).
SELECT
    $station AS _station,
    $columns
FROM
(
    $bounds
)
WHERE isCounted
GROUP BY $groups

-- name: bounds_of_extremes
-- An extreme of 24 hours may pass the extremes of six hours that touch it, and the reports of hours that none of these covers,
-- by $tolerance degrees. Most need no report, so only the hours of the others are looked up.
SELECT
    station,
    $columns,
    round(greatest(any(highest6), maxIf(temp, NOT bitTest(coveredMax, hour % 64))) + $tolerance, 2) AS highest,
    round(least(any(lowest6), minIf(temp, NOT bitTest(coveredMin, hour % 64))) - $tolerance, 2) AS lowest
FROM
(
    SELECT station, toInt64(intDiv(toUInt32(observedAt) + 3599, 3600)) AS hour, $temp AS temp
    FROM $sample
        AND station IN (SELECT station FROM $sample AND (maxt24_c IS NOT NULL OR mint24_c IS NOT NULL))
) AS report
RIGHT JOIN
(
    SELECT
        *,
        arrayJoin(if(
            ifNull(maxt24 > highest6, isNotNull(maxt24)) OR ifNull(mint24 < lowest6, isNotNull(mint24)),
            range(end - 23, end + 1),
            [end])) AS hour
    FROM
    (
        $touching
    )
) AS extreme USING (station, hour)
GROUP BY station, time, type

-- name: touching_extremes
-- Each report with extremes, with the extremes of six hours that touch its last 24 hours, and a bit for each hour of these.
SELECT
    *,
    max(maxt6) OVER touching AS highest6,
    min(mint6) OVER touching AS lowest6,
    groupBitOr(if(isNull(maxt6), 0, sixHours)) OVER touching AS coveredMax,
    groupBitOr(if(isNull(mint6), 0, sixHours)) OVER touching AS coveredMin
FROM
(
    WITH
        $local AS local,
        $localHour AS localHour,
        counts = 'hour' AS isFirst,
        toUInt32(observedAt) AS time,
        toInt64(intDiv(time + 1800, 3600)) AS end,
        bitRotateLeft(toUInt64(63), (end - 5) % 64) AS sixHours
    SELECT
        station,
        type,
        time,
        end,
        sixHours,
        $columns
    FROM $sample
        AND $hasExtremes
)
WINDOW touching AS (PARTITION BY station ORDER BY end RANGE BETWEEN 23 PRECEDING AND 5 FOLLOWING)

-- name: amount_reports
-- Reports with an amount of precipitation, and the METARs that may have reset the gauge: those of the same days and of the days
-- before them.
$with
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND ($isGiven OR type = 'METAR' AND (station, $day) IN (
        SELECT station, $day - arrayJoin([0, 1]) FROM $sample AND pcp1h_in IS NOT NULL
    ))
ORDER BY _station, observedAt, type = 'METAR'
FORMAT TabSeparated

-- name: presence
-- The hourly sample of days, where other reports count.
WITH
    $local AS local,
    $localHour AS localHour
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND $inRange
GROUP BY $groups

-- name: neighbors
-- The hourly sample before and after a range, which decides about its first and last days (D59).
SELECT $station AS _station, toUInt32(observedAt) AS time
FROM $sample
    AND $isOutside
ORDER BY _station, time
