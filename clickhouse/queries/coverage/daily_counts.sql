-- How many reports the archive holds, by station and UTC day. NIL says that there is no report, so it is not counted.
SELECT
    station,
    groupArray((toString(day), reports)) AS days
FROM
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(count()) AS reports
    FROM $currentReports
    WHERE NOT nil
    GROUP BY
        station,
        day
)
GROUP BY station
ORDER BY station
