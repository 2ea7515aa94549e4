-- The coverage of some stations by source and year; `*`, if it is among them, means the slices over all
-- stations. Most years are done in one run of days, which `firstDone` and `lastDone` name; `doneRuns` has the first and
-- the last day of each run where there are several. (The days themselves would be a hundred times as much text, too much
-- for a thousand stations.) Every column is a set, a minimum or a maximum, so FINAL alone combines the rows of a year.
-- GROUP BY takes half as long again.
SELECT
    station,
    source,
    year,
    toUInt16(bitmapMin(coverage.days)) AS firstDone,
    toUInt16(bitmapMax(coverage.days)) AS lastDone,
    if(
        lastDone - firstDone + 1 = finalizeAggregation(coverage.days),
        [],
        arrayMap(
            run -> [run[1], run[-1]],
            arraySplit(
                (day, dayBefore) -> day != dayBefore + 1,
                bitmapToArray(coverage.days),
                arrayPopBack(arrayPushFront(bitmapToArray(coverage.days), 0))))) AS doneRuns,
    toUnixTimestamp(coverage.firstReport) AS firstReport,
    toUnixTimestamp(coverage.lastReport) AS lastReport,
    toUInt16(finalizeAggregation(coverage.hours)) AS hours
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
