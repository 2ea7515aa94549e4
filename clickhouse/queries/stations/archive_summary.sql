-- What the archive holds in numbers, and two stations that still report. Row counts come from part metadata, so no row
-- is read, and replaced versions of a report count until merged.
WITH
    (
        SELECT max(lastReport)
        FROM coverage
    ) AS overall
SELECT
    count() AS stations,
    min(first) AS firstYear,
    max(last) AS lastYear,
    toUnixTimestamp(max(newest)) AS newestReport,
    arraySlice(arraySort(groupArrayIf(station, newest >= subtractDays(assumeNotNull(overall), 3))), 1, 2) AS examples,
    (
        SELECT count()
        FROM observations
    ) AS reports
FROM
(
    SELECT
        station,
        min(year) AS first,
        max(year) AS last,
        max(lastReport) AS newest
    FROM coverage
    WHERE lastReport IS NOT NULL
    GROUP BY station
)
