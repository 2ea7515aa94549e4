-- How many hours have a report, by twelfths of a year (732 hours each): a lower bound of the number of reports, and
-- close to it.
SELECT
    station,
    year,
    arrayMap(
        twelfth -> toUInt32(bitmapCardinality(
            bitmapSubsetInRange(yearHours, toUInt32(twelfth * 732), toUInt32(twelfth * 732 + 732)))),
        range(12)) AS hoursByTwelfth
FROM
(
    SELECT
        station,
        year,
        groupBitmapMergeState(hours) AS yearHours
    FROM coverage
    WHERE station IN {stations:Array(String)}
    GROUP BY
        station,
        year
)
