-- Adds the descriptions that the archive lacks; readers use the newest by each source.
INSERT INTO station_descriptions (station, source, name, country, latitude, longitude, elevation_m, timezone, fetchedAt, rank, elevationRank)
SELECT
    station,
    source,
    name,
    country,
    latitude,
    longitude,
    elevation_m,
    timezone,
    file.fetchedAt,
    rank,
    elevationRank
FROM input('$structure') AS file
WHERE (station, source, file.fetchedAt) NOT IN (SELECT station, source, fetchedAt FROM station_descriptions)
FORMAT Parquet
