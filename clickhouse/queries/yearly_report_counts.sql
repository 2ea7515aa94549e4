-- How many reports some stations have in a range, by calendar year, and the first and last of them. Versions of a report
-- have the same minute and fingerprint, under either type, so each counts once. NIL says that there is no report.
SELECT
    station,
    toYear(observedAt) AS year,
    toUInt32(uniqExact(bitShiftLeft(toUInt64(toUnixTimestamp(observedAt)), 32) + fingerprint)) AS reports,
    toUnixTimestamp(min(observedAt)) AS firstReport,
    toUnixTimestamp(max(observedAt)) AS lastReport
FROM observations
WHERE station IN {stations:Array(String)}
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND tupleElement(decoded, 'nil') IS NULL
GROUP BY
    station,
    year
