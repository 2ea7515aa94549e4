-- A random sample of the slices that are done, cut to a range of days. A slice of a station that its source does not
-- list is not done (D13).
SELECT DISTINCT
    source,
    station,
    toString(greatest(slices.firstDay, toDate({firstDay:Date32}))) AS firstDay,
    toString(least(slices.doneDay, toDate({endDay:Date32}))) AS endDay
FROM slices
WHERE source IN {sources:Array(String)}
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND (station = '*' OR (source, station) IN (SELECT source, station FROM stations))
    AND slices.firstDay < slices.doneDay
    AND slices.firstDay < {endDay:Date32}
    AND slices.doneDay > {firstDay:Date32}
ORDER BY rand()
LIMIT {sample:UInt32}
