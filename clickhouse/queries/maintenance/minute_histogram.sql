-- How many reports each station has at each minute of the hour in a window, by type. `typeSent` says whether the source
-- sent the type. Reports that their source calls SPECI are left out: they say nothing about the minutes of routine
-- reports.
SELECT
    station,
    toMinute(observedAt) AS minute,
    type,
    startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI ') OR source IN {typedSources:Array(String)} AS typeSent,
    toUInt32(count()) AS reports
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
GROUP BY
    station,
    minute,
    type,
    typeSent
HAVING NOT (typeSent AND type = 'SPECI')
