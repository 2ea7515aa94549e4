-- What reports say of a longer time than their own. Each statement has one level, and reads narrow columns. `group` has some of
-- the stations.

-- name: reports
-- Reports with something of it, in the order of their times; of one minute the special report first.
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND station IN {group:Array(String)}
    AND ($isGiven)
ORDER BY _station, observedAt, type = 'METAR'
FORMAT TabSeparated

-- name: days
-- Reports of some days: METARs, which may have reset a gauge, and temperatures.
SELECT
    $station AS _station,
    toUInt32(observedAt),
    type = 'METAR',
    $temperature
FROM $sample
    AND station IN {group:Array(String)}
    AND (_station, toUInt16(intDiv(toUInt32(observedAt), 86400))) IN (SELECT * FROM days)
ORDER BY _station, observedAt
FORMAT TabSeparated

-- name: gauges
-- A report of each month in which a gauge works or gives an amount.
SELECT
    $station AS _station,
    min(toUInt32(observedAt))
FROM $sample
    AND $isMeasured
GROUP BY _station, toYYYYMM($local)
FORMAT TabSeparated
