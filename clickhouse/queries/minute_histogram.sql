-- At which minutes of the hour stations report in a stretch of time, and what those reports are held to be.
-- Reports that their source calls SPECI tell nothing of the minutes of a METAR.
SELECT
    station,
    toMinute(observedAt) AS minute,
    type,
    startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI ') OR source IN {typedSources:Array(String)} AS sent,
    count() AS reports
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
GROUP BY station, minute, type, sent
HAVING NOT (sent AND type = 'SPECI')
