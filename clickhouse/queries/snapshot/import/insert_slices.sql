-- Adds the rows of the ledger that the archive lacks.
INSERT INTO slices (source, station, firstDay, doneDay, endDay, reports, inserted, skipped, recordedAt, run, reportsByDay)
SELECT
    source,
    station,
    toDate(file.firstDay),
    toDate(file.doneDay),
    toDate(file.endDay),
    reports,
    inserted,
    skipped,
    toDateTime(file.recordedAt, 'UTC'),
    run,
    reportsByDay
FROM input('$structure') AS file
WHERE (source, station, toDate(file.firstDay), toDate(file.doneDay), toDate(file.endDay), reports, run, toDateTime(file.recordedAt, 'UTC')) NOT IN
(
    SELECT
        source,
        station,
        firstDay,
        doneDay,
        endDay,
        reports,
        run,
        recordedAt
    FROM slices
)
FORMAT Parquet
