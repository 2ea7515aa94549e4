-- What sources publish about stations: names and positions. The newest row per station and source. A reader takes each
-- value from the source with the lowest rank.
CREATE TABLE IF NOT EXISTS station_descriptions
(
    station       LowCardinality(String)   COMMENT 'ICAO code',
    source        LowCardinality(String),
    name          Nullable(String)         COMMENT 'NULL when not stated, as in all other columns',
    country       Nullable(FixedString(2)) COMMENT 'ISO 3166-1 alpha-2',
    latitude      Nullable(Float64)        COMMENT 'Degrees north; NULL exactly where the longitude is',
    longitude     Nullable(Float64)        COMMENT 'Degrees east, -180 to 180',
    elevation_m   Nullable(Float64)        COMMENT 'Meters above mean sea level',
    timezone      Nullable(String)         COMMENT 'IANA name; where no source states one it follows from the position',
    fetchedAt     DateTime64(3, 'UTC')     DEFAULT now64(3),
    rank          UInt8                    COMMENT 'Of the source, for name, country and position',
    elevationRank UInt8                    COMMENT 'Of the source, for the elevation'
)
ENGINE = ReplacingMergeTree(fetchedAt)
ORDER BY (station, source)
