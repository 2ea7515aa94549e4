-- Some of the slices that are done, by chance: what of them lies in the days asked for.
SELECT DISTINCT
    source,
    station,
    toString(greatest(slices.firstDay, toDate({firstDay:Date32}))) AS firstDay,
    toString(least(slices.doneDay, toDate({endDay:Date32}))) AS endDay
FROM slices
WHERE source IN {sources:Array(String)}
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND slices.firstDay < slices.doneDay
    AND slices.firstDay < {endDay:Date32}
    AND slices.doneDay > {firstDay:Date32}
ORDER BY rand()
LIMIT {sample:UInt32}
