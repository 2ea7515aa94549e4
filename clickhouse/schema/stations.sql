-- Which stations a source lists, with their periods of record. A source without metadata for a station lists it with
-- the first report that it sends. A code that no source lists never counts as covered.
CREATE TABLE IF NOT EXISTS stations
(
    source    LowCardinality(String),
    station   LowCardinality(String) COMMENT 'ICAO code',
    firstDay  Nullable(Date32)       COMMENT 'First UTC day of the period of record; NULL when not stated',
    lastDay   Nullable(Date32)       COMMENT 'Last UTC day of the period of record; NULL when open or not stated',
    listedAt  DateTime64(3, 'UTC')   DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(listedAt)
ORDER BY (station, source)
