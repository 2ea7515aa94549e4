-- The first report of each nominal hour that counts in statistics: retracted and NIL reports never do. The rows come in
-- this order: the engine sorts them again, and on the disk where they are many. (LIMIT 1 BY station, hour takes twice
-- the time, and memory for each hour. Each further subquery adds some 2 ms to the plan of a statement.)
SELECT
    *,
    lagInFrame(hour) OVER (
        PARTITION BY station
        ORDER BY observedAt, type, fingerprint
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
    ) AS hourBefore
FROM ($highestVersions)
WHERE NOT retracted
    AND NOT nil
QUALIFY hour != hourBefore
