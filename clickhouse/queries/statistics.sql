-- name: statistics
-- `local` is the local time of a report, `localHour` that of its nominal hour, which may begin later. `_station` is the place of
-- the station in the list. `calendar` has the groups by units of the calendar: without others, empty ones are rows too.
SELECT
    $columns
FROM
(
    WITH
        $local AS local,
        $localHour AS localHour,
        counts = 'hour' AS isFirst
    SELECT
        $station AS _station,
        $count AS _n
        $selected
    FROM station_observations FINAL
    WHERE $stations
        AND $within(observedAt)
        AND $reports
    GROUP BY $keys
) AS found
$join JOIN calendar USING ($calendar)
ORDER BY $order
FORMAT $format
