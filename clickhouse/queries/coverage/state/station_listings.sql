-- Which of these sources (all if none is named) list which of these stations, with which period of record: the newest
-- listing of each.
SELECT
    source,
    station,
    firstDay,
    lastDay,
    toDate(listedAt) AS listedDay
FROM stations FINAL
WHERE station IN {stations:Array(String)}
    AND (empty({sources:Array(String)}) OR source IN {sources:Array(String)})
