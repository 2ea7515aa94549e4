-- The first and last report of each station and calendar year that a source has sent, even if another source's text is
-- stored. Years that the range cuts are left out: their edges may lie outside it.
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    year,
    toDateTime64(min(coverage.firstReport), 3, 'UTC') AS firstReport,
    toDateTime64(max(coverage.lastReport), 3, 'UTC') AS lastReport
FROM coverage
WHERE coverage.firstReport IS NOT NULL
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
    AND makeDate(year, 1, 1) >= {firstDay:Date}
    AND least(makeDate(year + 1, 1, 1), today() + 1) <= {endDay:Date}
GROUP BY
    source,
    station,
    year
ORDER BY
    source,
    station,
    year
FORMAT Parquet
