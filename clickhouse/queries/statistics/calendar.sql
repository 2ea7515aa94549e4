-- The groups of the calendar in the range, for each station of each clock, and how many clock hours begin in each. The hour
-- in which the range begins has its group too.
SELECT
    arrayJoin(arrayElement({stationsOfClocks:Array(Array(String))}, clock + 1)) AS station,
    $groups,
    expected
FROM
(
    SELECT
        clock,
        toUInt32(countIf(hourBegin >= {begin:UInt32})) AS expected,
        $definitions
    FROM
    (
        SELECT
            intDiv(number, greatest({hours:UInt64}, 1)) AS clock,
            {firstHour:UInt32} + 3600 * (number % greatest({hours:UInt64}, 1)) AS hourBegin,
            $local AS local
            $localHour
        FROM numbers({hours:UInt64} * length({stationsOfClocks:Array(Array(String))}))
    )
    GROUP BY
        clock,
        $groups
)
