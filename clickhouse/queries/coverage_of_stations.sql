-- What is held of some stations, by source and year; `*`, where it is named too, stands for the slices over
-- all stations. Days done are most often one run, told by its ends; `days` names them where they are not.
-- Every column is a set or an extreme, so that FINAL alone puts the parts of a year together: a GROUP BY would take
-- half as long again.
SELECT
    station,
    source,
    year,
    toUInt16(bitmapMin(coverage.days)) AS first,
    toUInt16(bitmapMax(coverage.days)) AS last,
    if(last - first + 1 = finalizeAggregation(coverage.days), [], bitmapToArray(coverage.days)) AS days,
    toUnixTimestamp(coverage.firstReport) AS firstReport,
    toUnixTimestamp(coverage.lastReport) AS lastReport
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
