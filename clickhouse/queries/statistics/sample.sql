-- The reports that count, with the groups that they belong to. The times of their clock are `local`.
SELECT
    station,
    observedAt,
    $time AS local
    $groups
    $columns
FROM ($reports)
$filter
