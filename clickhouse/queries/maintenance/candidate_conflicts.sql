-- Stations with more rows than reports in a window: a report has several versions, or it is stored under both types.
SELECT station
FROM observations
WHERE $ofStation
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
GROUP BY station
HAVING count() != uniqExact(bitShiftLeft(toUInt64(observedAt), 32) + fingerprint)
