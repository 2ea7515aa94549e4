-- What reports say of a longer time than their own, by the groups of a question. Times are seconds, and hours are whole hours,
-- both counted from 1970-01-01T00:00:00Z.

-- name: peaks
-- Peak winds belong to their own minute, which is up to a day before that of the report (D61).
WITH
    $time AS time,
    $local AS local,
    $localHour AS localHour
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND pk_wspd_kt IS NOT NULL
    AND $counted
GROUP BY $groups

-- name: extremes
-- Extremes of six and of 24 hours on the days in which these hours lie, those of 24 hours as far as the rest of their hours
-- bears them out (D60).
SELECT
    $station AS _station,
    $columns
FROM
(
    $bounds
)
WHERE isCounted
GROUP BY $groups

-- name: bounds_of_extremes
-- An extreme of 24 hours may not pass all extremes of six hours that touch it; in hours that none of these covers it may pass
-- the reports by $tolerance degrees. Most need no report, so only the hours of the others are looked up.
SELECT
    station,
    $columns,
    greatest(any(highest6), round(maxIf(temp, NOT bitTest(coveredMax, hour % 64)) + $tolerance, 2)) AS highest,
    least(any(lowest6), round(minIf(temp, NOT bitTest(coveredMin, hour % 64)) - $tolerance, 2)) AS lowest
FROM
(
    SELECT station, toInt64(intDiv(toUInt32(observedAt) + 3599, 3600)) AS hour, $temp AS temp
    FROM $sample
        AND station IN (SELECT station FROM $sample AND (maxt24_c IS NOT NULL OR mint24_c IS NOT NULL))
) AS report
RIGHT JOIN
(
    SELECT
        *,
        arrayJoin(if(
            ifNull(maxt24 > highest6, isNotNull(maxt24)) OR ifNull(mint24 < lowest6, isNotNull(mint24)),
            range(end - 23, end + 1),
            [end])) AS hour
    FROM
    (
        $touching
    )
) AS extreme USING (station, hour)
GROUP BY station, time, type

-- name: touching_extremes
-- Each report with extremes, with the extremes of six hours that touch its last 24 hours, and a bit for each hour of these.
SELECT
    *,
    max(maxt6) OVER touching AS highest6,
    min(mint6) OVER touching AS lowest6,
    groupBitOr(if(isNull(maxt6), 0, sixHours)) OVER touching AS coveredMax,
    groupBitOr(if(isNull(mint6), 0, sixHours)) OVER touching AS coveredMin
FROM
(
    WITH
        $local AS local,
        $localHour AS localHour,
        counts = 'hour' AS isFirst,
        toUInt32(observedAt) AS time,
        toInt64(intDiv(time + 1800, 3600)) AS end,
        bitRotateLeft(toUInt64(63), (end - 5) % 64) AS sixHours
    SELECT
        station,
        type,
        time,
        end,
        sixHours,
        $columns
    FROM $sample
        AND (maxt6_c IS NOT NULL OR mint6_c IS NOT NULL OR maxt24_c IS NOT NULL OR mint24_c IS NOT NULL)
)
WINDOW touching AS (PARTITION BY station ORDER BY end RANGE BETWEEN 23 PRECEDING AND 5 FOLLOWING)

-- name: gauges
-- Groups with a report of an amount, and groups with one in their month: that of the range is read to its ends, so that a day
-- is judged alone as in its month (D58).
WITH
    toInt64(toUInt32(observedAt)) AS at,
    least(greatest(at, $from), $to - 1) AS time,
    $local AS local,
    $localHour AS localHour
SELECT
    $station AS _station,
    $columns
FROM $sample
    AND (pcp1h_in IS NOT NULL OR pcp6h_in IS NOT NULL OR pcp24h_in IS NOT NULL)
    AND $from < $to
    AND (at = time OR toYYYYMM(local) = toYYYYMM($localOfReport))
GROUP BY $groups

-- name: amounts
-- Amounts by the groups in which they lie (D58), in hundredths of an inch. A gauge hour lies in one. What an amount of six or
-- 24 hours adds to it counts in a group that has all of these hours.
SELECT
    $station AS _station,
    $columns
FROM
(
    SELECT
        $keys,
        hours,
        time,
        end,
        any(since) AS since,
        any(begin) AS begin,
        any(amount) AS added,
        any(isInRange) AND count() = 3 AS isWhole,
        any(isInRange AND isOfMonth) AS isInMonth,
        max(point = end - 1) AS isLast
    FROM
    (
        $points
    )
    GROUP BY $keys, hours, time, end
)
GROUP BY $groups

-- name: points
-- Each amount at the begin, the middle and the end of its hours: each day that has some of them has one of these points.
WITH
    $local AS local
SELECT
    $columns
FROM
(
    SELECT
        *,
        begin >= $from AND end <= $to AS isInRange,
        toYYYYMM($localBegin) = toYYYYMM($localEnd) AS isOfMonth,
        arrayJoin([greatest(begin, $from), intDiv(begin + end, 2), least(end, $to) - 1]) AS point
    FROM
    (
        $added
    )
    WHERE begin < $to AND end > $from AND about.1
)
WHERE point >= $from AND point < $to

-- name: added_amounts
-- What each amount adds to those of a shorter time: an amount of six hours to the gauge hours since the report of the one
-- before it, at most twelve hours, because some are sent late; an amount of 24 hours to the gauge hours, and to what those of
-- six hours add. By the minute up to the report, a SPECI of 17:53 is not of the hours of the METAR of 17:51. Of amounts of 24
-- hours that overlap, the first counts.
SELECT
    station,
    hours,
    since,
    time,
    begin,
    end,
    about,
    multiIf(hours = 1, amount, hours = 6, ofSix, greatest(amount - inDay - sixesInDay, 0)) AS amount
FROM
(
    SELECT
        *,
        sum(ofSix) OVER (PARTITION BY station ORDER BY end RANGE BETWEEN 64800 PRECEDING AND CURRENT ROW) AS sixesInDay,
        sum(hours = 24) OVER (PARTITION BY station ORDER BY end RANGE BETWEEN 86399 PRECEDING AND 1 PRECEDING) AS overlapping
    FROM
    (
        SELECT
            *,
            lagInFrame(time) OVER (PARTITION BY station, hours ORDER BY end) AS before,
            lagInFrame(inAll) OVER (PARTITION BY station, hours ORDER BY end) AS inAllBefore,
            if(hours = 6, greatest(before, time - 43200), time - 86400) AS since,
            if(hours = 6, greatest(amount - if(since = before, inAll - inAllBefore, inHalfDay), 0), 0) AS ofSix
        FROM
        (
            SELECT
                *,
                sum(ofGauge) OVER (PARTITION BY station ORDER BY time RANGE UNBOUNDED PRECEDING) AS inAll,
                sum(ofGauge) OVER (PARTITION BY station ORDER BY time RANGE BETWEEN 43199 PRECEDING AND CURRENT ROW) AS inHalfDay,
                sum(ofGauge) OVER (PARTITION BY station ORDER BY time RANGE BETWEEN 86399 PRECEDING AND CURRENT ROW) AS inDay
            FROM
            (
                SELECT station, 1 AS hours, time, time AS begin, time + 1 AS end, amount, about, amount AS ofGauge
                FROM ($gaugeHours)
                $windows
            )
        )
    )
)
WHERE hours != 24 OR overlapping = 0

-- name: windows
-- Amounts of six and of 24 hours, which end at the whole hour nearest to the report. Of two of the same hours the greater.
UNION ALL
SELECT
    station,
    hours,
    argMax(at, (given, -at)) AS time,
    end - hours * 3600 AS begin,
    end,
    max(given) AS amount,
    tuple(true) AS about,
    0 AS ofGauge
FROM
(
    SELECT
        station,
        toInt64(toUInt32(observedAt)) AS at,
        intDiv(at + 1800, 3600) * 3600 AS end,
        pair.1 AS hours,
        pair.2 AS given,
        arrayJoin([(6, $hundredths6), (24, $hundredths24)]) AS pair
    FROM $sample
        AND (pcp6h_in IS NOT NULL OR pcp24h_in IS NOT NULL)
)
WHERE given IS NOT NULL
GROUP BY station, hours, end

-- name: gauge_hours
-- A gauge counts up until its reset, so what fell between two resets is the greatest amount (D58). A reset lies after the only
-- METAR of a nominal hour, where the amount falls, and an hour after the last reset: the gauge keeps its clock for a day where
-- METARs are missing. The hour is that of the first report with its greatest amount.
SELECT
    station,
    max(hour.2) AS amount,
    argMax(hour.1, (hour.2, -hour.1)) AS time,
    argMax(hour.3, (hour.2, -hour.1)) AS about
FROM
(
    WITH
        arraySort(report -> (report.1, report.2), groupArray((at, isMetar, given, about))) AS reports,
        -- The nominal hour of each METAR, and those of the METARs before and after it.
        arrayMap(report -> if(report.2, intDiv(report.1 + 600, 3600), 0), reports) AS hours,
        arrayPushFront(arrayPopBack(arrayFill(hour -> hour > 0, hours)), 0) AS hoursBefore,
        arrayPushBack(arrayPopFront(arrayReverseFill(hour -> hour > 0, hours)), 0) AS hoursAfter,
        arrayMap(
            (report, hour, before, after) -> if(hour > 0 AND hour != before AND hour != after, report.1, 0),
            reports, hours, hoursBefore, hoursAfter) AS onlyMetars,
        arrayPushFront(arrayPopBack(arrayFill(time -> time > 0, onlyMetars)), 0) AS metarResets,
        -- Reports with an amount: time, amount, and the rest.
        arrayFilter(report -> report.3 >= 0, reports) AS amounts,
        arrayFilter((reset, report) -> report.3 >= 0, metarResets, reports) AS resets,
        arrayPushFront(arrayPopBack(arrayMap(report -> report.1, amounts)), 0) AS timesBefore,
        -- The reset that is known whatever the amounts before say: by a METAR, or, after a day without any, the first amount.
        arrayMap(
            (report, reset, before) -> multiIf(
                report.1 - greatest(reset, before) > 86400, report.1,
                reset >= before, reset,
                0),
            amounts, resets, timesBefore) AS knownResets,
        -- From one such reset to the next: the last reset, time and amount, and whether each amount begins an hour.
        arrayMap(
            run -> arrayFold(
                (state, report) -> (
                    multiIf(
                        report.3 > 0, $resetOfKnown,
                        report.2 < state.3, greatest(state.2, $resetOfState),
                        $resetOfState),
                    report.1,
                    report.2,
                    arrayPushBack(state.4, report.3 > 0 OR report.2 < state.3 OR state.1 != $resetOfState)),
                run,
                (toInt64(0), toInt64(0), toInt64(0), emptyArrayUInt8())),
            arraySplit(
                report -> report.3 > 0,
                arrayMap((report, reset) -> (report.1, report.3, reset), amounts, knownResets))) AS runs,
        arrayCumSum(arrayFlatten(arrayMap(run -> run.4, runs))) AS numbers
    SELECT
        station,
        arrayJoin(arrayMap((report, number) -> (report.1, report.3, report.4, number), amounts, numbers)) AS hour
    FROM
    (
        $reports
    )
    GROUP BY station
)
GROUP BY station, hour.4

-- name: gauge_reports
-- Reports of the days with an hourly amount and of the days before them, in which the clock of the gauge was set.
WITH
    $local AS local,
    $localHour AS localHour
SELECT
    station,
    toInt64(toUInt32(observedAt)) AS at,
    type = 'METAR' AS isMetar,
    ifNull($hundredths, -1) AS given,
    tuple($about) AS about
FROM $sample
    AND (station, $day) IN (SELECT station, $day - arrayJoin([0, 1]) FROM $sample AND pcp1h_in IS NOT NULL)
