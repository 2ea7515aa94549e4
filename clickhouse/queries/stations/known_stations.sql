-- The stations that the archive knows by a description, a listing, the ledger or a report: by distance from a point, if
-- given, and by code. Each field is that of the first source, in the order of preference, that states it. Latitude and
-- longitude come from the same source. The distance, in units of 10 m, is that on a sphere with a radius of 6,371 km by
-- the haversine formula: within 1,000 km greatCircleDistance errs by up to 5.3 km on its sphere, and geoDistance
-- differs from it by up to 9.2 km.
SELECT
    station,
    argMinIf(described.name, rank, described.name IS NOT NULL) AS name,
    argMinIf(described.country, rank, described.country IS NOT NULL) AS country,
    argMinIf(described.latitude, rank, described.latitude IS NOT NULL) AS latitude,
    argMinIf(described.longitude, rank, described.latitude IS NOT NULL) AS longitude,
    argMinIf(described.elevation_m, elevationRank, described.elevation_m IS NOT NULL) AS elevation_m,
    argMinIf(described.timezone, rank, described.timezone IS NOT NULL) AS timezone,
    pow(sin(radians(latitude - {nearLatitude:Nullable(Float64)}) / 2), 2)
        + cos(radians(latitude)) * cos(radians({nearLatitude:Nullable(Float64)}))
        * pow(sin(radians(longitude - {nearLongitude:Nullable(Float64)}) / 2), 2) AS haversine,
    toUInt32(round(2 * 637100 * asin(sqrt(if(haversine > 1, 1, haversine))))) AS distance
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
ORDER BY distance, station
LIMIT {rows:UInt32}
