-- The rows of the ledger of a calendar year that have made days done, of some stations or of all. Slices end at New Year,
-- so their first day is in the year.
SELECT
    source,
    station,
    firstDay,
    doneDay,
    endDay,
    reports,
    run,
    reportsByDay,
    toUnixTimestamp(recordedAt) AS recordedAt
FROM slices
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND firstDay >= {firstDay:Date}
    AND firstDay < {endDay:Date}
    AND firstDay < doneDay
