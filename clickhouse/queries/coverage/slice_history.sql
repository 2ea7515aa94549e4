-- The rows of the ledger about some stations in a calendar year: how many reports each run received. Slices end at New
-- Year, so their first day is in the year.
SELECT
    source,
    station,
    firstDay,
    doneDay,
    reports,
    toUnixTimestamp(recordedAt) AS recordedAt
FROM slices
WHERE station IN {stations:Array(String)}
    AND firstDay >= {firstDay:Date}
    AND firstDay < {endDay:Date}
    AND firstDay < doneDay
