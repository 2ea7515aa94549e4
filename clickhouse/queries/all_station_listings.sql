-- Which sources carry which stations, and since when: the newest listing of each.
SELECT source, station, firstDay, lastDay, toDate(listedAt) AS listedDay
FROM stations FINAL
ORDER BY station, source
