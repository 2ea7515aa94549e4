-- The reports that the archive has of a file, whatever their type: a report is retracted only where it has another type.
SELECT
    station,
    observedAt,
    fingerprint
FROM observations
WHERE station >= {firstStation:String}
    AND station <= {lastStation:String}
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
