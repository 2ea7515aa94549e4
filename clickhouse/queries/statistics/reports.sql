-- The reports that count: retracted and NIL reports never do, and of the reports of one station, type and minute one does.
-- The order continues that of the projection, so that only reports of one minute are sorted.
SELECT *
FROM ($highestVersions)
WHERE NOT retracted
    AND nil IS NULL
ORDER BY
    $minute,
    $order
LIMIT 1 BY $minute
