-- The ledger of a range of days, for a snapshot of all stations. A row that reaches beyond the range is cut to it: then
-- it counts what the archive held of its days, and a row of a loader that recorded no such counts counts nothing.
SELECT
    CAST(slices.source, 'String') AS source,
    CAST(slices.station, 'String') AS station,
    toDate32(first) AS firstDay,
    toDate32(done) AS doneDay,
    toDate32(end) AS endDay,
    if(isWhole, slices.reports, toUInt32(arraySum(counts))) AS reports,
    slices.inserted AS inserted,
    CAST(slices.skipped, 'Map(String, UInt32)') AS skipped,
    toDateTime64(slices.recordedAt, 3, 'UTC') AS recordedAt,
    CAST(slices.run, 'String') AS run,
    counts AS reportsByDay
FROM
(
    SELECT
        *,
        greatest(slices.firstDay, {firstDay:Date}) AS first,
        least(slices.endDay, {endDay:Date}) AS end,
        greatest(first, least(slices.doneDay, end)) AS done,
        first = slices.firstDay AND end = slices.endDay AS isWhole,
        if(
            empty(slices.reportsByDay),
            slices.reportsByDay,
            arraySlice(slices.reportsByDay, 1 + toUInt32(dateDiff('day', slices.firstDay, first)), toUInt32(dateDiff('day', first, done)))) AS counts
    FROM slices
    WHERE slices.firstDay < {endDay:Date}
        AND slices.endDay > {firstDay:Date}
        AND concat(source, ' ', station, ' ', toString(slices.firstDay), ' ', toString(slices.doneDay)) NOT IN {lost:Array(String)}
) AS slices
ORDER BY
    source,
    station,
    firstDay,
    recordedAt,
    run
FORMAT Parquet
