-- The rows of the ledger in a range of days, for a snapshot.
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    toDate32(first) AS firstDay,
    toDate32(done) AS doneDay,
    toDate32(end) AS endDay,
    reports,
    inserted,
    CAST(skipped, 'Map(String, UInt32)') AS skipped,
    toDateTime64(recordedAt, 3, 'UTC') AS recordedAt,
    CAST(run, 'String') AS run,
    counts AS reportsByDay
FROM
(
    $slices
)
ORDER BY
    source,
    station,
    firstDay,
    recordedAt,
    run
FORMAT Parquet
