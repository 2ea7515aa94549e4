-- How many hours hold a report, by twelfths of a year (732 hours each): a lower bound of the reports, and close to them.
SELECT
    station,
    year,
    arrayMap(
        twelfth -> bitmapCardinality(bitmapSubsetInRange(held, toUInt32(twelfth * 732), toUInt32(twelfth * 732 + 732))),
        range(12)) AS hoursByTwelfth
FROM
(
    SELECT station, year, groupBitmapMergeState(hours) AS held
    FROM coverage
    WHERE station IN {stations:Array(String)}
    GROUP BY station, year
)
