-- What the archive holds in numbers. The rows come from the metadata of the parts: none is read, and replaced versions of
-- a report count until they are merged.
SELECT
    uniqExact(station) AS stations,
    min(year) AS firstYear,
    max(year) AS lastYear,
    toUnixTimestamp(max(lastReport)) AS newestReport,
    (
        SELECT count()
        FROM observations
    ) AS reports
FROM coverage
WHERE lastReport IS NOT NULL
