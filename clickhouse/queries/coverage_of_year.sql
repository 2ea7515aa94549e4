-- Days done of one calendar year, by station and source; `*` stands for the slices over all stations. No station named: all.
-- They are most often one run, told by its ends; `days` names them where they are not.
SELECT
    station,
    source,
    year,
    toUInt16(bitmapMin(coverage.days)) AS first,
    toUInt16(bitmapMax(coverage.days)) AS last,
    if(last - first + 1 = finalizeAggregation(coverage.days), [], bitmapToArray(coverage.days)) AS days
FROM coverage FINAL
WHERE year = {year:UInt16}
    AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)} OR station = '*')
