-- The stations that the archive knows by a description, a listing, the ledger or a report, in the order of their codes.
-- Each field is that of the first source, in the order of preference, that states it. Latitude and longitude come from
-- the same source.
SELECT
    station,
    argMinIf(described.name, rank, described.name IS NOT NULL) AS name,
    argMinIf(described.country, rank, described.country IS NOT NULL) AS country,
    argMinIf(described.latitude, rank, described.latitude IS NOT NULL) AS latitude,
    argMinIf(described.longitude, rank, described.latitude IS NOT NULL) AS longitude,
    argMinIf(described.elevation_m, elevationRank, described.elevation_m IS NOT NULL) AS elevation_m,
    argMinIf(described.timezone, rank, described.timezone IS NOT NULL) AS timezone
FROM
(
    SELECT
        station,
        rank,
        elevationRank,
        name,
        country,
        latitude,
        longitude,
        elevation_m,
        timezone
    FROM station_descriptions FINAL
    WHERE $selected
    UNION ALL
    SELECT DISTINCT station, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL
    FROM stations
    WHERE $selected
    UNION ALL
    SELECT DISTINCT station, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL
    FROM coverage
    WHERE station != '*'
        AND $selected
) AS described
GROUP BY station
HAVING $conditions
ORDER BY station
LIMIT {rows:UInt32}
