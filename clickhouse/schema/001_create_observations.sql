-- Every report once, in the order in which pages print them.
--
-- Rows are only added. A better text, a corrected type or a newer decoder writes the key of the report again with a
-- higher version; a changed type also writes the old key with `retracted`. Readers keep the highest version of a key
-- and drop retracted rows, so they do not depend on merges.
--
-- The projection holds the same rows by station: without it a query for one station reads every granule. The primary
-- key is the time alone: a granule spans many minutes and all stations, so a key with the station excludes no more
-- granules, but ClickHouse then examines each of them. Most reports leave most elements of `decoded` empty: absent
-- values are stored sparsely, which makes an insert cheaper. Codecs are set in the configuration of the server
-- (`server/config.d/history.xml`), because the codec of a column does not apply to the projection. A merge waits for a
-- dozen parts of one size, not five, so a long load rewrites each row less often. A part below 64 MiB is one file
-- instead of some 650, one for each element of `decoded`.
CREATE TABLE IF NOT EXISTS observations
(
    observedAt  DateTime('UTC')             COMMENT 'Observation time, a whole minute' CODEC(Delta, Default),
    station     LowCardinality(String)      COMMENT 'ICAO code',
    type        Enum8('METAR' = 1, 'SPECI' = 2),
    fingerprint UInt32                      COMMENT 'First 4 bytes of the SHA-256 of the report body',
    version     UInt32                      COMMENT 'Rank of the source (16 bits), revision (8 bits), decoder (8 bits)',
    retracted   Bool                        COMMENT 'The type of the report was corrected: this key is void',
    source      LowCardinality(String)      COMMENT 'Source of text and type',
    raw         String                      COMMENT 'The report as the source sent it, one line',
    clean       Bool                        COMMENT 'The decoder explained every group of the body',
    decoder     UInt16                      COMMENT 'Version of the decoder that wrote `decoded`',
    decoded     Tuple(
        temp_c        Nullable(Decimal32(1)), -- °C
        dewp_c        Nullable(Decimal32(1)), -- °C
        wdir          Nullable(UInt16), -- degrees true
        wdir_vrb      Nullable(Bool),
        wdir_from     Nullable(UInt16), -- degrees true
        wdir_to       Nullable(UInt16), -- degrees true
        wspd_kt       Nullable(UInt16), -- kt
        wgst_kt       Nullable(UInt16), -- kt
        wspd_above    Nullable(Bool),
        wgst_above    Nullable(Bool),
        visib_m       Nullable(UInt32), -- m
        visib_sm      Nullable(Float32), -- statute miles
        visib_mod     Nullable(Enum8('M', 'P')),
        visib_min_m   Nullable(UInt32), -- m
        visib_min_dir Nullable(String),
        rvr           Array(Tuple(
            rwy     String,
            min_m   Nullable(UInt16), -- m
            max_m   Nullable(UInt16), -- m
            min_ft  Nullable(UInt16), -- ft
            max_ft  Nullable(UInt16), -- ft
            mod     Nullable(Enum8('M', 'P', 'MP')),
            trend   Nullable(Enum8('U', 'D', 'N')))),
        wx            Nullable(String),
        rewx          Nullable(String),
        clouds        Array(Tuple(
            cover   Enum8('FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'),
            base_ft Nullable(UInt32), -- ft
            type    Nullable(Enum8('CB', 'TCU')))),
        vvis_ft       Nullable(UInt32), -- ft
        cavok         Bool,
        altim_hpa     Nullable(Float32), -- hPa
        altim_inhg    Nullable(Float32), -- inHg
        slp_hpa       Nullable(Float32), -- hPa
        qfe_hpa       Nullable(Float32), -- hPa
        maxt6_c       Nullable(Float32), -- °C
        mint6_c       Nullable(Float32), -- °C
        maxt24_c      Nullable(Float32), -- °C
        mint24_c      Nullable(Float32), -- °C
        pcp1h_in      Nullable(Float32), -- in
        pcp1h_trace   Nullable(Bool),
        pcp3h_in      Nullable(Float32), -- in
        pcp3h_trace   Nullable(Bool),
        pcp6h_in      Nullable(Float32), -- in
        pcp6h_trace   Nullable(Bool),
        pcp24h_in     Nullable(Float32), -- in
        pcp24h_trace  Nullable(Bool),
        snow_in       Nullable(Float32), -- in
        snow_inc_in   Nullable(Float32), -- in
        swe_in        Nullable(Float32), -- in
        ice1h_in      Nullable(Float32), -- in
        ice3h_in      Nullable(Float32), -- in
        ice6h_in      Nullable(Float32), -- in
        ptend         Nullable(UInt8),
        ptend_hpa     Nullable(Float32), -- hPa
        pk_wdir       Nullable(UInt16), -- degrees true
        pk_wspd_kt    Nullable(UInt16), -- kt
        pk_time       Nullable(String), -- UTC
        presrr        Nullable(Bool),
        presfr        Nullable(Bool),
        maint         Nullable(Bool),
        station_type  Nullable(Enum8('AO1', 'AO2')),
        auto          Nullable(Bool),
        cor           Nullable(Bool),
        nil           Nullable(Bool),
        trend         Nullable(String),
        rwy_state     Nullable(String),
        colour        Nullable(String),
        sea           Nullable(String),
        fltcat        Nullable(Enum8('VFR', 'MVFR', 'IFR', 'LIFR'))),
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
    min_bytes_for_wide_part = 67108864
