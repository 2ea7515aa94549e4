-- The days that loads have asked for, done or not, by station and source. Synthetic reports are left out. `loads` has
-- those of which no slice was received; the ledger has those of `follow`, imports and killed loads.
SELECT
    station,
    source,
    groupUniqArray((toString(asked.firstDay), toString(asked.endDay))) AS ranges
FROM
(
    SELECT station, source, firstDay, endDay
    FROM slices
    UNION ALL
    SELECT arrayJoin(stations) AS station, source, firstDay, endDay
    FROM loads
) AS asked
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND asked.firstDay < {endDay:Date32}
    AND asked.endDay > {firstDay:Date32}
    AND source != 'demo'
GROUP BY
    station,
    source
