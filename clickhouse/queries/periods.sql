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
FORMAT TabSeparated

-- name: extreme_reports
-- Reports with extremes of six or 24 hours.
WITH
    $local AS local,
    $localHour AS localHour,
    counts = 'hour' AS isFirst
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND $hasExtremes
ORDER BY _station, observedAt
FORMAT TabSeparated

-- name: temperatures_of_hours
-- The greatest and the least temperature of hours, which end at the whole hour.
SELECT
    $station AS _station,
    intDiv(toUInt32(observedAt) + 3599, 3600) AS hour,
    max($temp),
    min($temp)
FROM $sample
    AND temp_c IS NOT NULL
    AND (_station, hour) IN (SELECT * FROM hours)
GROUP BY _station, hour

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
