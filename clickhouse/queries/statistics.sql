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
GROUP BY $keys
ORDER BY $groups
FORMAT TabSeparated
