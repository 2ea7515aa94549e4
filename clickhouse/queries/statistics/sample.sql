-- The reports that count, with the groups that they belong to: retracted and NIL reports never do. Local times are
-- `local`. (Each further subquery adds some 2 ms to the plan of a statement.)
SELECT
    station,
    observedAt,
    $local AS local
    $groups
    $columns
FROM ($highestVersions)
WHERE NOT retracted
    AND nil IS NULL
$firstOfHours
$filter
