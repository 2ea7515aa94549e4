-- What is held of the requested stations and years, by source; `*` stands for the slices over all stations.
-- Most years are done from end to end: `whole` says so, and spares the list of their days.
SELECT
    station,
    source,
    year,
    bitmapCardinality(groupBitmapMergeState(coverage.days) AS done) = toDayOfYear(makeDate(year, 12, 31)) AS whole,
    if(whole, [], bitmapToArray(done)) AS days,
    toUnixTimestamp(min(coverage.firstReport)) AS firstReport,
    toUnixTimestamp(max(coverage.lastReport)) AS lastReport
FROM coverage
WHERE (station IN {stations:Array(String)} OR station = '*')
    AND year BETWEEN toYear({from:DateTime('UTC')}) AND toYear({to:DateTime('UTC')})
GROUP BY station, source, year
