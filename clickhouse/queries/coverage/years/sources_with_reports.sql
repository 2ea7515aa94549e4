-- Which sources have reports of some stations in a part of one year, by the hours that the view knows.
SELECT
    station,
    source
FROM coverage FINAL
WHERE station IN {stations:Array(String)}
    AND year = {year:UInt16}
    AND bitmapCardinality(bitmapSubsetInRange(coverage.hours, {firstHour:UInt32}, {endHour:UInt32})) > 0
