-- How much of the requested days and hours the archive covers, one row per station.
--
-- A day is done when a source that lists the station has it in the ledger, or when it lies outside the station's
-- period of record; the period is applied here and never stored, because sources revise it (D13).
-- Days from {youngDay} on are never done, so a year that is asked for up to one of them is not either.
WITH
    listed AS
    (
        SELECT station, source, firstDay, lastDay
        FROM stations FINAL
        WHERE station IN {stations:Array(String)}
    ),
    period AS
    (
        SELECT
            station,
            min(firstDay) AS recordFirst,
            if(countIf(firstDay IS NOT NULL AND lastDay IS NULL) > 0, NULL, max(lastDay)) AS recordLast
        FROM listed
        GROUP BY station
    ),
    held AS
    (
        SELECT station, year, groupBitmapMergeState(days) AS doneDays, groupBitmapMergeState(hours) AS reportHours
        FROM
        (
            SELECT
                station,
                year,
                if((station, source) IN (SELECT station, source FROM listed), days, bitmapBuild([]::Array(UInt16))) AS days,
                hours
            FROM coverage
            WHERE station IN {stations:Array(String)} AND year BETWEEN toYear({firstDay:Date32}) AND toYear({lastDay:Date32})
            UNION ALL
            SELECT listed.station, world.year, world.days, world.hours
            FROM coverage AS world
            INNER JOIN listed ON listed.source = world.source
            WHERE world.station = '*' AND world.year BETWEEN toYear({firstDay:Date32}) AND toYear({lastDay:Date32})
        )
        GROUP BY station, year
    ),
    asked AS
    (
        SELECT
            arrayJoin({stations:Array(String)}) AS station,
            arrayJoin(range(toYear({firstDay:Date32}), toYear({lastDay:Date32}) + 1))::UInt16 AS year,
            greatest(makeDate32(year, 1, 1), {firstDay:Date32}) AS askedFirst,
            least(makeDate32(year, 12, 31), {lastDay:Date32}) AS askedLast,
            toUnixTimestamp(makeDateTime(year, 1, 1, 0, 0, 0, 'UTC')) AS midnight,
            toUInt32(greatest(0, {from:Int64} - midnight)) AS fromSecond,
            toUInt32(least(8784 * 3600, {to:Int64} - midnight)) AS toSecond
    ),
    needed AS
    (
        SELECT
            *,
            greatest(askedFirst, ifNull(recordFirst, askedFirst)) AS neededFirst,
            least(askedLast, ifNull(recordLast, askedLast)) AS neededLast,
            toUInt32(toDayOfYear(neededFirst)) AS firstNeeded,
            toUInt32(greatest(0, dateDiff('day', neededFirst, neededLast) + 1)) AS neededDays
        FROM asked
        LEFT JOIN period USING (station)
    )
SELECT
    station,
    countIf(
        askedLast < {youngDay:Date32}
        AND bitmapCardinality(bitmapSubsetInRange(doneDays, firstNeeded, firstNeeded + neededDays)) = neededDays
    ) AS yearsDone,
    sum(bitmapCardinality(bitmapSubsetInRange(
        reportHours, toUInt32(intDiv(fromSecond + 3599, 3600)), toUInt32(intDiv(toSecond, 3600))))) AS hoursInside,
    sum(bitmapCardinality(bitmapSubsetInRange(
        reportHours, toUInt32(intDiv(fromSecond, 3600)), toUInt32(intDiv(toSecond + 3599, 3600))))) AS hoursTouched
FROM needed
LEFT JOIN held USING (station, year)
GROUP BY station
