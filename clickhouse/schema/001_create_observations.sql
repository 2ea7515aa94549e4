-- Every report once, in the order in which answers are paged.
--
-- Rows are only ever added. A better text, a corrected type or a newer decoder writes the report's key again
-- with a higher version; a changed type also writes the old key with `retracted`. Readers keep the highest
-- version of a key and drop what is retracted, so it never matters whether a merge has run.
--
-- The projection holds the same rows by station: without it a query for one station reads every granule. The primary key
-- is the time alone: a granule spans many minutes and all stations, so that with the station in the key none more would be
-- ruled out, and yet each be looked at.
-- Most reports leave most of `decoded` empty: what is absent is stored sparsely, which spares an insert work.
-- Codecs are the server's (`server/config.d/history.xml`), for a column's own does not reach the projection.
-- Parts are merged when a dozen of a size have come together, not five: a row of a long load is rewritten less often.
-- Below 64 MiB a part is one file, not some 650, as the fields of `decoded` would make.
CREATE TABLE IF NOT EXISTS observations
(
    observedAt  DateTime('UTC')             COMMENT 'Observation time, a whole minute' CODEC(Delta, Default),
    station     LowCardinality(String)      COMMENT 'ICAO code',
    type        Enum8('METAR' = 1, 'SPECI' = 2),
    fingerprint UInt32                      COMMENT 'First 4 bytes of the SHA-256 of the report body',
    version     UInt32                      COMMENT 'Rank of the source in the high 16 bits, then 8 for the revision and 8 for the decoder',
    retracted   Bool                        COMMENT 'The report is no longer held under this type',
    source      LowCardinality(String)      COMMENT 'Where text and type came from',
    raw         String                      COMMENT 'The report as the source sent it, one line',
    clean       Bool                        COMMENT 'The decoder left nothing in the body unexplained',
    decoder     UInt16                      COMMENT 'Version of the decoder that wrote `decoded`',
    decoded     Tuple(
        temp_c       Nullable(Decimal32(1)),
        dewp_c       Nullable(Decimal32(1)),
        wdir         Nullable(UInt16),
        wdir_vrb     Nullable(Bool),
        wdir_from    Nullable(UInt16),
        wdir_to      Nullable(UInt16),
        wspd_kt      Nullable(UInt16),
        wgst_kt      Nullable(UInt16),
        wspd_above   Nullable(Bool),
        wgst_above   Nullable(Bool),
        visib_m      Nullable(UInt32),
        visib_sm     Nullable(Float32),
        visib_mod    Nullable(Enum8('M', 'P')),
        visib_min_m  Nullable(UInt32),
        visib_min_dir Nullable(String),
        rvr          Array(Tuple(
            rwy    String,
            min_m  Nullable(UInt16),
            max_m  Nullable(UInt16),
            min_ft Nullable(UInt16),
            max_ft Nullable(UInt16),
            mod    Nullable(Enum8('M', 'P', 'MP')),
            trend  Nullable(Enum8('U', 'D', 'N')))),
        wx           Nullable(String),
        rewx         Nullable(String),
        clouds       Array(Tuple(
            cover   Enum8('FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'),
            base_ft Nullable(UInt32),
            type    Nullable(Enum8('CB', 'TCU')))),
        vvis_ft      Nullable(UInt32),
        cavok        Bool,
        altim_hpa    Nullable(Float32),
        altim_inhg   Nullable(Float32),
        slp_hpa      Nullable(Float32),
        qfe_hpa      Nullable(Float32),
        maxt6_c      Nullable(Float32),
        mint6_c      Nullable(Float32),
        maxt24_c     Nullable(Float32),
        mint24_c     Nullable(Float32),
        pcp1h_in     Nullable(Float32),
        pcp1h_trace  Nullable(Bool),
        pcp3h_in     Nullable(Float32),
        pcp3h_trace  Nullable(Bool),
        pcp6h_in     Nullable(Float32),
        pcp6h_trace  Nullable(Bool),
        pcp24h_in    Nullable(Float32),
        pcp24h_trace Nullable(Bool),
        snow_in      Nullable(Float32),
        snow_inc_in  Nullable(Float32),
        swe_in       Nullable(Float32),
        ice1h_in     Nullable(Float32),
        ice3h_in     Nullable(Float32),
        ice6h_in     Nullable(Float32),
        ptend        Nullable(UInt8),
        ptend_hpa    Nullable(Float32),
        pk_wdir      Nullable(UInt16),
        pk_wspd_kt   Nullable(UInt16),
        pk_time      Nullable(String),
        presrr       Nullable(Bool),
        presfr       Nullable(Bool),
        maint        Nullable(Bool),
        station_type Nullable(Enum8('AO1', 'AO2')),
        auto         Nullable(Bool),
        cor          Nullable(Bool),
        nil          Nullable(Bool),
        trend        Nullable(String),
        rwy_state    Nullable(String),
        colour       Nullable(String),
        sea          Nullable(String),
        fltcat       Nullable(Enum8('VFR', 'MVFR', 'IFR', 'LIFR'))),
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
