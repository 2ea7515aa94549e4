-- The days that loads have asked for, done or not, by station and source. Synthetic reports are left out.
SELECT
    station,
    source,
    groupUniqArray((toString(firstDay), toString(endDay))) AS ranges
FROM slices
WHERE (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND firstDay < {endDay:Date32}
    AND slices.endDay > {firstDay:Date32}
    AND source != 'demo'
GROUP BY
    station,
    source
