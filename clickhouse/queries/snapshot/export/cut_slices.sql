-- The rows of the ledger, of some stations or of all. A row that extends beyond the range is cut to it and counts what
-- the archive held for its days.
SELECT
    slices.source AS source,
    slices.station AS station,
    greatest(slices.firstDay, {firstDay:Date}) AS first,
    least(slices.endDay, {endDay:Date}) AS end,
    greatest(first, least(slices.doneDay, end)) AS done,
    arraySlice(slices.reportsByDay, 1 + toUInt32(dateDiff('day', slices.firstDay, first)), toUInt32(dateDiff('day', first, done))) AS counts,
    if(
        first = slices.firstDay AND end = slices.endDay,
        slices.reports,
        toUInt32(arraySum(counts))) AS reports,
    slices.inserted AS inserted,
    slices.skipped AS skipped,
    slices.recordedAt AS recordedAt,
    slices.run AS run
FROM slices
WHERE (empty({stations:Array(String)}) OR slices.station IN {stations:Array(String)})
    AND slices.firstDay < {endDay:Date}
    AND slices.endDay > {firstDay:Date}
    AND concat(source, ' ', station, ' ', toString(slices.firstDay), ' ', toString(slices.doneDay)) NOT IN {lost:Array(String)}
