-- How many rows of the ledger of a snapshot the archive lacks.
SELECT toUInt32(count()) AS missing
FROM snapshot_file
WHERE (source, station, toDate(snapshot_file.firstDay), toDate(snapshot_file.doneDay), run, toDateTime(snapshot_file.recordedAt, 'UTC')) NOT IN
(
    SELECT
        source,
        station,
        firstDay,
        doneDay,
        run,
        recordedAt
    FROM slices
)
