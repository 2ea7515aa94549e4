-- How many reports stand in the archive, by station and UTC day. A report NIL says that there is none.
SELECT
    station,
    groupArray((toString(day), reports)) AS days
FROM
(
    SELECT
        station,
        toDate(observedAt) AS day,
        toUInt32(count()) AS reports
    FROM $live
    WHERE NOT nil
    GROUP BY station, day
)
GROUP BY station
ORDER BY station
