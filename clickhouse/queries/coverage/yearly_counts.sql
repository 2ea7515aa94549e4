-- How many reports the archive holds, by station and source of the text. NIL means a missing report, so it is not
-- counted.
SELECT
    station,
    source,
    toUInt32(count()) AS reports
FROM $currentReports
WHERE nil IS NULL
GROUP BY
    station,
    source
ORDER BY
    station,
    source
