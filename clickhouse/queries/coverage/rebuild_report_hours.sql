-- Makes the hours, the first and the last report of a calendar year again from the reports, as their materialized view
-- does insert by insert. NIL says that there is no report, so it does not count.
INSERT INTO coverage (station, year, source, hours, firstReport, lastReport)
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapState(toUInt16((toDayOfYear(observedAt) - 1) * 24 + toHour(observedAt))) AS hours,
    min(toNullable(observedAt)) AS firstReport,
    max(toNullable(observedAt)) AS lastReport
FROM observations
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND tupleElement(decoded, 'nil') IS NULL
GROUP BY
    station,
    year,
    source
