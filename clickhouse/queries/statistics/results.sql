-- The statistics of the groups that have reports. The sample begins before the range where a report of its first nominal hour
-- lies there.
SELECT
    station
    $groups,
    toUInt32($n) AS n
    $values
FROM ($sample)
WHERE toUInt32(observedAt) >= {begin:UInt32}
    $filter
GROUP BY
    station
    $groups
