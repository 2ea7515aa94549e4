-- The groups of the calendar in the range, for each station of a clock, and how many hours lie in each.
SELECT
    arrayJoin($stations) AS station
    $groups,
    expected
FROM
(
    SELECT
        toUInt32(count()) AS expected
        $definitions
    FROM
    (
        SELECT $time AS local
        FROM numbers({steps:UInt64})
    )
    $groupBy
)
