-- The days of calendar years on which stations (all if none is named) have reports, as first and last day of each run.
-- `arrayCompact` keeps one hour of each day.
SELECT
    station,
    year,
    arrayMap(
        run -> [run[1], run[-1]],
        arraySplit((day, dayBefore) -> day != dayBefore + 1, days, arrayPopBack(arrayPushFront(days, 0)))) AS runs
FROM
(
    SELECT
        station,
        year,
        arrayCompact(arrayMap(hour -> intDiv(hour, 24) + 1, bitmapToArray(groupBitmapMergeState(hours)))) AS days
    FROM coverage
    WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
        AND year >= {firstYear:UInt16}
        AND year <= {lastYear:UInt16}
    GROUP BY
        station,
        year
)
WHERE notEmpty(days)
