-- Stations with more rows than reports in a stretch of time: of a report there are versions, or it stands under both types.
SELECT station
FROM observations
WHERE $station
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
GROUP BY station
HAVING count() != uniqExact(bitShiftLeft(toUInt64(observedAt), 32) + fingerprint)
