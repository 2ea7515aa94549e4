-- What each source has brought of each station and year.
SELECT
    station,
    source,
    year,
    bitmapCardinality(groupBitmapMergeState(days)) AS daysDone,
    bitmapCardinality(groupBitmapMergeState(hours)) AS hoursSeen
FROM coverage
GROUP BY station, source, year
ORDER BY station, year, source
