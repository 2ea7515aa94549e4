-- How many reports some stations have in a range, by calendar year, and the first and last of them. NIL means a missing
-- report, so it is not counted. (A count of distinct minutes and fingerprints, without the versions, costs as much.)
SELECT
    station,
    toYear(observedAt) AS year,
    toUInt32(count()) AS reports,
    toUnixTimestamp(min(observedAt)) AS firstReport,
    toUnixTimestamp(max(observedAt)) AS lastReport
FROM $currentReports
WHERE nil IS NULL
GROUP BY
    station,
    year
