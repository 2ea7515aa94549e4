-- Which sources carry these stations, and since when: the newest listing of each.
SELECT source, station, firstDay, lastDay, toDate(listedAt) AS listedDay
FROM stations FINAL
WHERE station IN {stations:Array(String)} AND source IN {sources:Array(String)}
