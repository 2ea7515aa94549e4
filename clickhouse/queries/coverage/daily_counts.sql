-- How many reports the archive holds, by station and UTC day. NIL reports, which state that a report is missing, are
-- counted separately because the ledger counts them too.
SELECT
    station,
    groupArray((toString(day), observations, nilReports)) AS days
FROM
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(countIf(nil IS NULL)) AS observations,
        toUInt32(countIf(nil IS NOT NULL)) AS nilReports
    FROM $currentReports
    GROUP BY
        station,
        day
)
GROUP BY station
ORDER BY station
