-- The rows of the ledger of a snapshot that make days of a calendar year done.
SELECT
    source,
    station,
    toString(snapshot_file.firstDay) AS firstDay,
    toString(snapshot_file.doneDay) AS doneDay,
    toString(snapshot_file.endDay) AS endDay,
    reports,
    run,
    reportsByDay,
    toUnixTimestamp(toDateTime(snapshot_file.recordedAt, 'UTC')) AS recordedAt
FROM snapshot_file
WHERE snapshot_file.firstDay >= {from:Date32}
    AND snapshot_file.firstDay < {to:Date32}
    AND snapshot_file.firstDay < snapshot_file.doneDay
