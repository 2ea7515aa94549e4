-- Days done of one calendar year, by station and source; `*` stands for the slices over all stations. No station named: all.
SELECT
    station,
    source,
    year,
    bitmapCardinality(groupBitmapMergeState(coverage.days) AS done) = toDayOfYear(makeDate(year, 12, 31)) AS whole,
    if(whole, [], bitmapToArray(done)) AS days
FROM coverage
WHERE year = {year:UInt16}
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)} OR station = '*')
GROUP BY station, source, year
