-- What reports say of a longer time than their own. Each statement has one level, and reads narrow columns.

-- name: reports
-- The reports of some of the stations, `group`, in the order of their times; of one minute the special report first.
SELECT
    $station AS _station,
    toUInt32(observedAt) AS _time,
    type = 'METAR' AS _isMetar,
    counts = 'hour' AS _isFirst,
    $columns
FROM $sample
    AND station IN {group:Array(String)}
    AND $isRead
ORDER BY _station, observedAt, type = 'METAR'
FORMAT Native

-- name: gauges
-- A report of each month in which a gauge works or gives an amount.
SELECT
    $station AS _station,
    min(toUInt32(observedAt))
FROM $sample
    AND $isMeasured
GROUP BY _station, toYYYYMM($local)
FORMAT TabSeparated
