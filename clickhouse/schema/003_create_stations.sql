-- Which stations a source carries, and since when. A source without metadata for a station lists it by evidence:
-- the first report it sends. A code that no source lists is never counted as covered.
CREATE TABLE IF NOT EXISTS stations
(
    source    LowCardinality(String),
    station   LowCardinality(String) COMMENT 'ICAO code',
    firstDay  Nullable(Date32)       COMMENT 'First UTC day of the period of record; NULL when unknown',
    lastDay   Nullable(Date32)       COMMENT 'Last UTC day of the period of record; NULL when open or unknown',
    listedAt  DateTime64(3, 'UTC')   DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(listedAt)
ORDER BY (station, source)
