-- name: sample
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

-- name: reports
-- The reports that count: retracted and NIL reports never do, and of the reports of one station, type and minute the first
-- one does. The order continues that of the projection, so that only reports of one minute are sorted.
SELECT *
FROM ($highestVersions)
WHERE NOT retracted
    AND nil IS NULL
ORDER BY
    $minute,
    $order
$oneOfMinute

-- name: first_of_hours
-- The first report of each nominal hour, among reports in the order of stations and times. The window has no order of its
-- own: then the engine takes the rows as they come, where it would sort them again. (LIMIT 1 BY station, hour keeps each
-- hour in memory.)
WINDOW asTheyCome AS (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
QUALIFY stationHour != lagInFrame(stationHour) OVER asTheyCome

-- name: calendar
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

-- name: results
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

-- name: normals
-- A mean year: days make months, months of all years the mean months, and these the year. The values of a day are one array, so
-- that one expression makes all of them: with an expression for each value the server needs two seconds to analyze them.
-- `known` has a bit for each day of the month that has the value.
SELECT
    station,
    part AS _group0,
    toUInt32(sum(n)) AS n,
    toUInt32(sum(expected)) AS expected,
    arrayMap(
        (rule, high, low, total, mean, months) -> multiIf(rule = 'max', high, rule = 'min', low,
            isNull(part) AND months < 12, NULL, rule = 'sum', total, mean),
        $rules,
        maxForEach(ofMeanMonth),
        minForEach(ofMeanMonth),
        sumForEach(ofMeanMonth),
        avgForEach(ofMeanMonth),
        countForEach(ofMeanMonth)) AS _values,
    arrayMap(
        (rule, value, years) -> if(rule IN ('max', 'min') OR isNull(value), 0, toUInt32(years)),
        $rules,
        _values,
        minForEach(ofYears)) AS _years
FROM
(
    SELECT
        station,
        month,
        sum(n) AS n,
        sum(expected) AS expected,
        arrayMap(
            (rule, high, low, mean) -> multiIf(rule = 'max', high, rule = 'min', low, mean),
            $rules,
            maxForEach(ofMonth),
            minForEach(ofMonth),
            avgForEach(ofMonth)) AS ofMeanMonth,
        countForEach(ofMonth) AS ofYears
    FROM
    (
        SELECT
            station,
            toYear(date) AS year,
            toMonth(date) AS month,
            sum(n) AS n,
            sum(expected) AS expected,
            toDayOfMonth(toLastDayOfMonth(any(date))) AS days,
            arrayMap(
                (rule, high, low, mean, missing) -> multiIf(rule = 'max', high, rule = 'min', low,
                    bitCount(missing) > $mostMissing OR position(bin(missing), $gap) > 0, NULL, rule = 'sum', mean * days, mean),
                $rules,
                maxForEach(ofDay),
                minForEach(ofDay),
                avgForEach(ofDay),
                arrayMap(bits -> bitAnd(bitNot(bits), bitShiftLeft(toUInt64(1), days) - 1), groupBitOrForEach(known))) AS ofMonth
        FROM
        (
            SELECT
                station,
                _group0 AS date,
                n,
                expected,
                [$days] AS ofDay,
                arrayMap(value -> if(isNull(value), 0, bitShiftLeft(toUInt32(1), toDayOfMonth(date) - 1)), ofDay) AS known
            FROM $joined
        )
        GROUP BY station, year, month
    )
    GROUP BY station, month
)
ARRAY JOIN [toNullable(month), NULL] AS part
GROUP BY station, part

-- name: answer
-- The statistics of each group, in the order of stations and groups. The condition ends a statement whose answer would be
-- too long.
SELECT
    $output
FROM $joined
WHERE throwIf(rowNumberInAllBlocks() >= {maxRows:UInt32}, 'Too many groups') = 0
ORDER BY
    station
    $order
FORMAT $format
