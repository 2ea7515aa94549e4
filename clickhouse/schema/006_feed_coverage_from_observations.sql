-- The hours of inserted reports. NIL says that there is no report, so it does not count.
CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_observations TO coverage AS
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapState(toUInt16((toDayOfYear(observedAt) - 1) * 24 + toHour(observedAt))) AS hours,
    min(toNullable(observedAt)) AS firstReport,
    max(toNullable(observedAt)) AS lastReport
FROM observations
WHERE NOT retracted AND tupleElement(decoded, 'nil') IS NULL
GROUP BY station, year, source
