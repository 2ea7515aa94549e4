-- The statistics of the groups that have reports.
SELECT
    station
    $groups,
    toUInt32(count()) AS n
    $values
FROM ($samples)
GROUP BY
    station
    $groups
