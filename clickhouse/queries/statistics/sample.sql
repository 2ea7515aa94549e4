-- Reports with their local times, and with the groups that they belong to. (Each further subquery adds some 2 ms to the plan
-- of a statement.)
SELECT
    station,
    observedAt,
    $local AS local
    $localHour
    $isFirst
    $groups
    $columns
FROM ($reports)
$firstOfHours
