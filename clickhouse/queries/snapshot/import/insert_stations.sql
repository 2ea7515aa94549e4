-- Adds the listings that the archive lacks. One that states no period never replaces one that does.
INSERT INTO stations (source, station, firstDay, lastDay, listedAt)
SELECT
    source,
    station,
    file.firstDay,
    file.lastDay,
    file.listedAt
FROM input('$structure') AS file
WHERE (source, station, file.listedAt) NOT IN (SELECT source, station, listedAt FROM stations)
    AND (file.firstDay IS NOT NULL OR file.lastDay IS NOT NULL OR (source, station) NOT IN (SELECT source, station FROM stations))
FORMAT Parquet
