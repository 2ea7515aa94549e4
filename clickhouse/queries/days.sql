-- What days are made of.

-- name: reports
-- The reports that count of some stations and times, in the order of stations and times; of one minute the special report first.
SELECT
    CAST(transform(station, {stations:Array(String)}, range(length({stations:Array(String)})), 0), 'UInt16') AS _station,
    toUInt32(observedAt) AS _time,
    $columns
FROM station_observations FINAL
WHERE station IN {stations:Array(String)}
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND counts != 'no'
ORDER BY station, observedAt, type = 'METAR'
FORMAT Native

-- name: days
-- Days as numbers, in the order of stations and dates; NaN where absent.
SELECT
    station AS _station,
    toInt32(date) AS _date,
    n AS _n,
    expected AS _expected,
    $columns
FROM $source
ORDER BY station, date
FORMAT Native
