-- A mean year: days make months, months of all years the mean months, and these the year. Each value of a day is a row, so
-- that one expression makes all of them: with an expression for each value the server needs two seconds to analyze them.
SELECT
    station,
    part AS _group0,
    toUInt32(any(n)) AS n,
    toUInt32(any(expected)) AS expected,
    max(years) AS _years
    $values
FROM
(
    SELECT
        station,
        item,
        part,
        sum(n) AS n,
        sum(expected) AS expected,
        multiIf(rule = 'max', max(value), rule = 'min', min(value), isNull(part) AND count(value) < 12, NULL,
            rule = 'sum', sum(value), avg(value)) AS ofPart,
        if(rule IN ('max', 'min') OR isNull(ofPart), 0, toUInt32(min(ofYears))) AS years
    FROM
    (
        SELECT
            station,
            item,
            month,
            $rules[item] AS rule,
            sum(n) AS n,
            sum(expected) AS expected,
            multiIf(rule = 'max', max(ofMonth), rule = 'min', min(ofMonth), avg(ofMonth)) AS value,
            count(ofMonth) AS ofYears
        FROM
        (
            SELECT
                station,
                item,
                toYear(date) AS year,
                toMonth(date) AS month,
                $rules[item] AS rule,
                sum(n) AS n,
                sum(expected) AS expected,
                toDayOfMonth(toLastDayOfMonth(any(date))) AS days,
                arraySort(arrayConcat([0, days + 1], groupArrayIf(toDayOfMonth(date), isNotNull(day)))) AS known,
                count(day) >= days - $mostMissing AND arrayMax(arrayDifference(known)) <= $longestGap + 1 AS isComplete,
                multiIf(rule = 'max', max(day), rule = 'min', min(day), NOT isComplete, NULL,
                    rule = 'sum', avg(day) * days, avg(day)) AS ofMonth
            FROM
            (
                SELECT
                    station,
                    _group0 AS date,
                    n,
                    expected,
                    [$days] AS ofDay
                FROM $joined
            )
            ARRAY JOIN
                ofDay AS day,
                arrayEnumerate(ofDay) AS item
            GROUP BY
                station,
                item,
                year,
                month
        )
        GROUP BY
            station,
            item,
            month
    )
    ARRAY JOIN [toNullable(month), NULL] AS part
    GROUP BY
        station,
        item,
        rule,
        part
)
GROUP BY
    station,
    part
