-- Stretches of days, `[first, end)`, that need no load from one source: in its ledger, or outside the period of record
-- that it states. Nothing is done for a code that it does not list.
WITH
    listed AS
    (
        SELECT station, firstDay, lastDay, toDate32(listedAt) AS listedDay
        FROM stations FINAL
        WHERE source = {source:String} AND station IN {stations:Array(String)}
    ),
    done AS
    (
        SELECT station, year, arraySort(bitmapToArray(groupBitmapMergeState(days))) AS days
        FROM
        (
            SELECT station, year, days
            FROM coverage
            WHERE source = {source:String}
                AND station IN {stations:Array(String)}
                AND (station = '*' OR station IN (SELECT station FROM listed))
            UNION ALL
            SELECT listed.station, world.year, world.days
            FROM coverage AS world
            CROSS JOIN listed
            WHERE world.source = {source:String} AND world.station = '*'
        )
        WHERE year BETWEEN toYear({firstDay:Date32}) AND toYear({endDay:Date32})
        GROUP BY station, year
    ),
    runs AS
    (
        SELECT station, makeDate32(year, 1, 1) AS newYear, arrayJoin(arraySplit((day, step) -> step != 1, days, arrayDifference(days))) AS run
        FROM done
        WHERE notEmpty(days)
    ),
    stretches AS
    (
        SELECT station, addDays(newYear, run[1] - 1) AS first, addDays(newYear, run[-1]) AS end
        FROM runs
        UNION ALL
        SELECT station, {firstDay:Date32}, assumeNotNull(firstDay)
        FROM listed
        WHERE firstDay IS NOT NULL
        UNION ALL
        -- A period that has ended is known to have up to the day on which the source said so.
        SELECT station, addDays(assumeNotNull(lastDay), 1), least(listedDay, {endDay:Date32})
        FROM listed
        WHERE lastDay IS NOT NULL
    )
SELECT
    station,
    greatest(first, {firstDay:Date32}) AS first,
    least(end, {endDay:Date32}) AS end
FROM stretches
WHERE stretches.first < {endDay:Date32} AND stretches.end > {firstDay:Date32} AND stretches.first < stretches.end
