-- The first report of each nominal hour. The rows come in this order: the engine sorts them again, and on the disk where
-- they are many. (LIMIT 1 BY station, hour takes twice the time, and memory for each hour.)
SELECT *
FROM
(
    SELECT
        *,
        lagInFrame(hour) OVER (
            PARTITION BY station
            ORDER BY observedAt, fingerprint
            ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
        ) AS hourBefore
    FROM
    (
        SELECT
            *,
            $nominalHour AS hour
        FROM ($currentReports)
    )
)
WHERE hour != hourBefore
