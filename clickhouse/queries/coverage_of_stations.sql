-- The coverage of some stations by source and year; `*`, if it is asked for too, stands for the slices over all
-- stations. Most years are done in one run of days, which `firstDone` and `lastDone` name; `doneDays` lists the days
-- only where they are not one run. Every column is a set, a minimum or a maximum, so FINAL alone combines the rows of a
-- year. GROUP BY takes half as long again.
SELECT
    station,
    source,
    year,
    toUInt16(bitmapMin(coverage.days)) AS firstDone,
    toUInt16(bitmapMax(coverage.days)) AS lastDone,
    if(lastDone - firstDone + 1 = finalizeAggregation(coverage.days), [], bitmapToArray(coverage.days)) AS doneDays,
    toUnixTimestamp(coverage.firstReport) AS firstReport,
    toUnixTimestamp(coverage.lastReport) AS lastReport,
    toUInt16(finalizeAggregation(coverage.hours)) AS hours
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
