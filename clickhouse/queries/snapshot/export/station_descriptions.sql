-- What sources publish about stations.
SELECT
    CAST(station, 'String') AS station,
    CAST(source, 'String') AS source,
    name,
    CAST(country, 'Nullable(String)') AS country,
    latitude,
    longitude,
    elevation_m,
    timezone,
    fetchedAt,
    rank,
    elevationRank
FROM station_descriptions FINAL
WHERE empty({stations:Array(String)}) OR station IN {stations:Array(String)}
ORDER BY
    station,
    source
FORMAT Parquet
