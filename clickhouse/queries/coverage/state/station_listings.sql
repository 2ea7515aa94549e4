-- Which of these sources, or of all where none is named, list which of these stations, and with which period of record:
-- the newest listing of each.
SELECT
    source,
    station,
    firstDay,
    lastDay,
    toDate(listedAt) AS listedDay
FROM stations FINAL
WHERE station IN {stations:Array(String)}
    AND (empty({sources:Array(String)}) OR source IN {sources:Array(String)})
