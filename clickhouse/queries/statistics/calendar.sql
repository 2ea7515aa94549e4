-- The groups of the calendar in the range, for each station of each clock, and how many hours lie in each.
SELECT
    arrayJoin(arrayElement({stationsOfClocks:Array(Array(String))}, clock + 1)) AS station,
    $groups,
    expected
FROM
(
    SELECT
        clock,
        toUInt32(count()) AS expected,
        $definitions
    FROM
    (
        SELECT
            intDiv(number, greatest({steps:UInt64}, 1)) AS clock,
            {first:UInt32} + {step:UInt32} * (number % greatest({steps:UInt64}, 1)) AS second,
            $local AS local
        FROM numbers({steps:UInt64} * length({stationsOfClocks:Array(Array(String))}))
    )
    GROUP BY
        clock,
        $groups
)
