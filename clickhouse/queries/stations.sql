-- name: described_stations
-- Known by a description, a listing, the ledger or a report. Each field is that of the first source, in the order of preference,
-- that states it; latitude and longitude come from one source; an aerodrome only describes a station that is known otherwise.
FROM
(
    SELECT station, rank, elevationRank, name, country, latitude, longitude, elevation_m, timezone, [] AS runways, NULL AS lastReport
    FROM station_descriptions FINAL
    WHERE $selected
    UNION ALL
    SELECT station, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, [], NULL
    FROM stations
    WHERE $selected
    UNION ALL
    SELECT station, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, [], $lastReport
    FROM coverage
    WHERE station != '*'
        AND $selected
    GROUP BY station
    UNION ALL
    SELECT station, 255, 255, name, country, latitude, longitude, elevation_m, NULL, runways, NULL
    FROM aerodromes FINAL
    WHERE $selected
        AND $isKnown
) AS described
GROUP BY station
HAVING min(rank) < 255

-- name: known_stations
-- The distance, in units of 10 m, is by the haversine formula on a sphere of 6,371 km: greatCircleDistance errs by up to 5.3 km.
WITH
    pow(sin(radians(latitude - {nearLatitude:Nullable(Float64)}) / 2), 2)
        + cos(radians(latitude)) * cos(radians({nearLatitude:Nullable(Float64)}))
        * pow(sin(radians(longitude - {nearLongitude:Nullable(Float64)}) / 2), 2) AS haversine
SELECT
    station,
    argMinIf(described.name, rank, described.name IS NOT NULL) AS name,
    argMinIf(described.country, rank, described.country IS NOT NULL) AS country,
    argMinIf(described.latitude, rank, described.latitude IS NOT NULL) AS latitude,
    argMinIf(described.longitude, rank, described.latitude IS NOT NULL) AS longitude,
    argMinIf(described.elevation_m, elevationRank, described.elevation_m IS NOT NULL) AS elevation_m,
    argMinIf(described.timezone, rank, described.timezone IS NOT NULL) AS timezone,
    groupArrayArray(described.runways) AS runways,
    toUnixTimestamp(max(described.lastReport)) AS newestReport,
    toUInt32(round(2 * 637100 * asin(sqrt(if(haversine > 1, 1, haversine))))) AS distance
$describedStations
    AND $conditions
ORDER BY distance, station
LIMIT {rows:UInt32}

-- name: station_places
SELECT
    station,
    argMinIf(described.timezone, rank, described.timezone IS NOT NULL) AS timezone,
    argMinIf(described.latitude, rank, described.latitude IS NOT NULL) AS latitude,
    argMinIf(described.longitude, rank, described.latitude IS NOT NULL) AS longitude
$describedStations

-- name: archive_summary
-- Counts come from part metadata: replaced versions of a report count until merged.
WITH
    (
        SELECT max(lastReport)
        FROM coverage
    ) AS overall
SELECT
    toUInt32(count()) AS stations,
    min(first) AS firstYear,
    max(last) AS lastYear,
    toUnixTimestamp(max(newest)) AS newestReport,
    arraySlice(arraySort(groupArrayIf(station, newest >= subtractDays(assumeNotNull(overall), 3))), 1, 2) AS examples,
    (
        SELECT toFloat64(count())
        FROM observations
    ) AS reports,
    groupUniqArrayArray(sources) AS sources,
    (
        SELECT count() > 0
        FROM aerodromes
    )::Bool AS hasAerodromes
FROM
(
    SELECT
        station,
        min(year) AS first,
        max(year) AS last,
        max(lastReport) AS newest,
        groupUniqArray(source) AS sources
    FROM coverage
    WHERE lastReport IS NOT NULL
    GROUP BY station
)
