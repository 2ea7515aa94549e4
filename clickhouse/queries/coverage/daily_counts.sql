-- How many reports the archive holds, by station and UTC day. NIL says that there is no report, so these are counted
-- apart: the ledger counts them too.
SELECT
    station,
    groupArray((toString(day), observations, nilReports)) AS days
FROM
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(countIf(NOT nil)) AS observations,
        toUInt32(countIf(nil)) AS nilReports
    FROM $currentReports
    GROUP BY
        station,
        day
)
GROUP BY station
ORDER BY station
