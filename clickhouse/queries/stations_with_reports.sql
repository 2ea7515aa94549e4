-- Which stations hold a report in the first or the last, incomplete hour of a request.
-- Duplicates do not matter here and retractions always come with a report of the same minute, so neither is looked at.
SELECT DISTINCT station
FROM observations
WHERE station IN {stations:Array(String)}
    AND ((observedAt >= {from:DateTime} AND observedAt < {firstHourEnds:DateTime})
        OR (observedAt >= {lastHourStarts:DateTime} AND observedAt < {to:DateTime}))
    AND tupleElement(decoded, 'nil') IS NULL
