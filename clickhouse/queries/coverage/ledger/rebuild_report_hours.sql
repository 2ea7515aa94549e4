-- Rebuilds the hours, first and last report of a calendar year from the reports, as their materialized view does insert
-- by insert. NIL means a missing report, so it does not count; a station with nothing else gets a row without hours,
-- which makes it known. `nilOnly`: only these rows, if the view already has the hours.
INSERT INTO coverage (station, year, source, hours, firstReport, lastReport)
WITH nil IS NULL AS isObservation
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapStateIf(toUInt16((toDayOfYear(observedAt) - 1) * 24 + toHour(observedAt)), isObservation) AS hours,
    minIf(toNullable(observedAt), isObservation) AS firstReport,
    maxIf(toNullable(observedAt), isObservation) AS lastReport
FROM observations
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND (NOT {nilOnly:Bool} OR NOT isObservation)
GROUP BY
    station,
    year,
    source
