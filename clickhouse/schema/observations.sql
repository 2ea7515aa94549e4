-- Every report once, in the order in which pages print them.
--
-- Rows are only added. A better text, a corrected type or a newer decoder writes the key of the report again with a
-- higher version; a changed type also writes the old key with `retracted`. Readers keep the highest version of a key
-- and drop retracted rows, so they do not depend on merges.
--
-- The columns of the decoded and derived fields follow from their list (`model/field-columns.ts`). Most reports leave most
-- of them empty: absent values are stored sparsely, which makes an insert cheaper.
--
-- The projection holds the same rows by station: without it a query for one station reads every granule. The primary
-- key is the time alone: a granule spans many minutes and all stations, so a key with the station excludes no more
-- granules, but ClickHouse then examines each of them. Codecs are set in the configuration of the server
-- (`server/config.d/history.xml`), because the codec of a column does not apply to the projection. A merge waits for a
-- dozen parts of one size, not five, so a long load rewrites each row less often. A part below 64 MiB is one file
-- instead of some 650. No statement uses the statistics of columns that a merge would build for a fifth of its time.
CREATE TABLE IF NOT EXISTS observations
(
    observedAt  DateTime('UTC')        COMMENT 'Observation time, a whole minute' CODEC(Delta, Default),
    station     LowCardinality(String) COMMENT 'ICAO code',
    type        Enum8('METAR' = 1, 'SPECI' = 2),
    fingerprint UInt32                 COMMENT 'First 4 bytes of the SHA-256 of the report body',
    version     UInt32                 COMMENT 'Rank of the source (16 bits), revision (8 bits), decoder (8 bits)',
    retracted   Bool                   COMMENT 'The type of the report was corrected: this key is void',
    source      LowCardinality(String) COMMENT 'Source of text and type',
    text        String                 COMMENT 'The report without its station and time: `model/stored-text.ts`',
    raw         String                 ALIAS $raw COMMENT 'The report as the source sent it, one line',
    clean       Bool                   COMMENT 'The decoder explained every group of the body',
    decoder     UInt16                 COMMENT 'Version of the decoder that wrote the fields',
    $fields,
    PROJECTION by_station (SELECT * ORDER BY (station, observedAt, type, fingerprint))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYear(observedAt)
PRIMARY KEY observedAt
ORDER BY (observedAt, station, type, fingerprint)
SETTINGS
    nullable_serialization_version = 'allow_sparse',
    deduplicate_merge_projection_mode = 'rebuild',
    merge_selector_base = 12,
    min_bytes_for_wide_part = 67108864,
    auto_statistics_types = ''
