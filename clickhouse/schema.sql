-- For one server and for a cluster: `clickhouse/cluster.ts` says what names in capital letters become. In a cluster the tables of
-- reports are divided among shards; every other table has a replica on each server.

-- Every report once, in the order in which pages of many stations print them (D12).
--
-- Rows are only added. A better text, a corrected type, another choice of what counts or a newer decoder writes the key again
-- with a higher version; a changed type also writes the old key with `retracted`. Readers use FINAL and drop retracted rows.
CREATE TABLE IF NOT EXISTS observations$SHARD$ON_ALL
(
    $reportColumns
)
ENGINE = $SHARDED(ReplacingMergeTree, version)
PARTITION BY toYear(observedAt)
PRIMARY KEY observedAt
ORDER BY (observedAt, station, type, fingerprint)
SETTINGS
    merge_selector_base = 12,
    min_rows_for_wide_part = 1000000000000,
    auto_statistics_types = ''
    $MORE_SETTINGS
;

-- The same rows in the order of stations: for everything that asks few stations, and for conditions and statistics. A writer
-- inserts a row here after it is stored in `observations`, so what is here is in both.
--
-- A question about a station reads one part for each ten years. The files of a large part are those of its columns; small parts
-- have one. A granule has 1,024 rows, some six weeks of a station. The indexes have the least and the greatest value of each
-- granule; merges build them, because 64 indexes cost an insert as much as its rows. A server reads the marks of all columns when
-- it starts: the first page with decoded fields would spend a sixth of its CPU on them.
CREATE TABLE IF NOT EXISTS station_observations$SHARD$ON_ALL
(
    $reportColumns,
    $indexes
)
ENGINE = $SHARDED(ReplacingMergeTree, version)
PARTITION BY intDiv(toYear(observedAt), 10)
PRIMARY KEY (station, observedAt)
ORDER BY (station, observedAt, type, fingerprint)
SETTINGS
    index_granularity = 1024,
    merge_selector_base = 12,
    min_rows_for_wide_part = 50000,
    min_level_for_wide_part = 1,
    min_bytes_for_wide_part = 0,
    packed_skip_index_max_bytes = 1000000,
    string_serialization_version = 'single_stream',
    prewarm_mark_cache = 1,
    auto_statistics_types = ''
    $MORE_SETTINGS
;

-- Days of stations in standard time, computed from their reports by `days/days-of.ts`. A row counts only where `day_months`
-- says so. Of two rows of a day the one that was computed later counts: it has read all that the other has.
CREATE TABLE IF NOT EXISTS days$SHARD$ON_ALL
(
    station   LowCardinality(String) COMMENT 'ICAO code',
    date      Date32                 COMMENT 'In the standard time of the station',
    n         Int32                  COMMENT 'Reports of the hourly sample',
    expected  Int32                  COMMENT 'Clock hours that begin on the day',
    $dayColumns,
    at        DateTime64(3, 'UTC')   COMMENT 'By the clock of the server, before the reports were read'
)
ENGINE = $SHARDED(ReplacingMergeTree, at)
ORDER BY (station, date)
SETTINGS index_granularity = 1024
    $MORE_SETTINGS
;

-- Which months of `days` equal their reports. A loader opens the months that its rows can change before it stores them, and closes
-- a month once its days are computed from them. A month counts where a loader has closed it and none has it open.
CREATE TABLE IF NOT EXISTS day_months$SHARD$ON_ALL
(
    station  LowCardinality(String) COMMENT 'ICAO code',
    month    UInt16                 COMMENT 'In the standard time of the station: 12 times the year, and 0 for January to 11',
    run      LowCardinality(String) COMMENT 'Run of the loader; empty for a month to compute once it is over',
    isOpen   Bool                   COMMENT 'Reports of the run are not in the days',
    clock    LowCardinality(String) COMMENT 'Offsets from UTC by which the days were computed',
    version  UInt16                 COMMENT 'Version of the rules by which they were computed',
    at       DateTime64(3, 'UTC')   DEFAULT now64(3) COMMENT 'Of a closed month, when the days were computed'
)
ENGINE = $SHARDED(ReplacingMergeTree, at)
ORDER BY (station, month, run)
$SETTINGS
;

-- The loaders that write reports, and in which part of the archive. A report is inserted into one table after the other. A
-- loader that was killed in between leaves its row open; the next one copies what the second table lacks in this window.
CREATE TABLE IF NOT EXISTS writers$ON_ALL
(
    run     LowCardinality(String),
    `from`  DateTime('UTC')          COMMENT 'Reports observed from this time on',
    `to`    DateTime('UTC')          COMMENT 'until before this one',
    isOpen  Bool                     COMMENT 'The loader has not ended in good order',
    at      DateTime64(3, 'UTC')     DEFAULT now64(3) COMMENT 'A loader that goes on writing renews its row each half hour'
)
ENGINE = $REPLICATED(ReplacingMergeTree, at)
ORDER BY run
TTL toDateTime(at) + INTERVAL 30 DAY DELETE WHERE NOT isOpen
$SETTINGS
;

-- The reports that an operator has hidden or shown again. Rows are only added, and the newest row of a report counts. Loaders then
-- choose what counts in its hour and minute.
CREATE TABLE IF NOT EXISTS hidden_reports$ON_ALL
(
    station     LowCardinality(String)            COMMENT 'ICAO code',
    observedAt  DateTime('UTC')                   COMMENT 'Observation time',
    fingerprint UInt32                            COMMENT 'Of the report: with station and time its id',
    type        Enum8('METAR' = 1, 'SPECI' = 2)   COMMENT 'When it was hidden',
    reason      String                            COMMENT 'As records print it',
    isHidden    Bool,
    at          DateTime64(3, 'UTC')              DEFAULT now64(3)
)
ENGINE = $REPLICATED(MergeTree)
ORDER BY (station, observedAt, fingerprint)
$SETTINGS
;

-- The ledger: the slices that loaders have received completely. One row per slice, written after its reports are in the
-- archive. `reportsByDay` finds reports that are lost later.
CREATE TABLE IF NOT EXISTS slices$ON_ALL
(
    source       LowCardinality(String),
    station      LowCardinality(String)              COMMENT 'ICAO code; * for every station that the source lists',
    firstDay     Date                                COMMENT 'First UTC day of the slice',
    doneDay      Date                                COMMENT 'First UTC day that is not done: it and later days are provisional',
    endDay       Date                                COMMENT 'First UTC day after the slice',
    reports      UInt32                              COMMENT 'Distinct reports that the source sent',
    inserted     UInt32                              COMMENT 'Reports that the archive did not have, or had in a lower version',
    skipped      Map(LowCardinality(String), UInt32) COMMENT 'Rows of the source that are not reports, by reason',
    recordedAt   DateTime('UTC')                     DEFAULT now(),
    run          LowCardinality(String)              COMMENT 'Run of the loader; ids sort by the start of the run',
    reportsByDay Array(UInt32)                       COMMENT 'Distinct reports that the archive held of each day from firstDay on, of any source',
    provenDay    Date                                ALIAS if(
        recordedAt > now() + INTERVAL 5 MINUTE,
        firstDay,
        greatest(firstDay, least(doneDay, toDate(recordedAt - INTERVAL 72 HOUR)))) COMMENT 'As doneDay, by the clock of the server: days that a loader with a wrong clock has recorded too early are not done'
)
ENGINE = $REPLICATED(MergeTree)
ORDER BY (source, station, firstDay)
$SETTINGS
;

-- A row for each source of a load that has ended, however, and of each cycle of `follow`.
CREATE TABLE IF NOT EXISTS loads$ON_ALL
(
    source      LowCardinality(String),
    endedAt     DateTime('UTC'),
    stations    Array(LowCardinality(String)) COMMENT 'ICAO codes that the load asked for, or * alone; empty for a cycle of follow',
    firstDay    Date                          COMMENT 'First UTC day that the load asked for',
    endDay      Date                          COMMENT 'First UTC day after the last one',
    slices      UInt32                        COMMENT 'Slices that were loaded',
    inserted    UInt32                        COMMENT 'Reports that the archive did not have, or had in a lower version',
    failure     String                        COMMENT 'Why the first slice that failed was not loaded; empty where none failed'
)
ENGINE = $REPLICATED(MergeTree)
ORDER BY (source, endedAt)
$SETTINGS
;

-- With periods of record; without metadata a source lists a station by its first report. A code that none lists is never covered.
CREATE TABLE IF NOT EXISTS stations$ON_ALL
(
    source    LowCardinality(String),
    station   LowCardinality(String) COMMENT 'ICAO code',
    firstDay  Nullable(Date32)       COMMENT 'First UTC day of the period of record; NULL when not stated',
    lastDay   Nullable(Date32)       COMMENT 'Last UTC day of the period of record; NULL when open or not stated',
    listedAt  DateTime64(3, 'UTC')   DEFAULT now64(3)
)
ENGINE = $REPLICATED(ReplacingMergeTree, listedAt)
ORDER BY (station, source)
$SETTINGS
;

-- The newest row of each station and source. A reader takes each value from the source with the lowest rank.
CREATE TABLE IF NOT EXISTS station_descriptions$ON_ALL
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
ENGINE = $REPLICATED(ReplacingMergeTree, fetchedAt)
ORDER BY (station, source)
$SETTINGS
;

-- Where the world's aerodromes are, from a package (ODbL 1.0): for stations that no source of reports describes. In no
-- snapshot. ZSTD would take half of the time in which they are stored.
CREATE TABLE IF NOT EXISTS aerodromes$ON_ALL
(
    station     LowCardinality(String) COMMENT 'ICAO code',
    name        String,
    country     FixedString(2)         COMMENT 'ISO 3166-1 alpha-2',
    latitude    Float64                COMMENT 'Degrees north',
    longitude   Float64                COMMENT 'Degrees east, -180 to 180',
    elevation_m Float64                COMMENT 'Meters above mean sea level',
    runways     Array(Tuple(ident String, heading_deg Float32, length_m UInt16)) COMMENT 'Each direction, with the true heading',
    release     LowCardinality(String) COMMENT 'Version of the package',
    storedAt    DateTime64(3, 'UTC')   DEFAULT now64(3)
)
ENGINE = $REPLICATED(ReplacingMergeTree, storedAt)
ORDER BY station
SETTINGS index_granularity = 128, default_compression_codec = 'LZ4'
    $MORE_SETTINGS
;

-- What the archive holds, by station, year and source. Every column is a set, a minimum or a maximum, so writing the
-- same again changes nothing.
CREATE TABLE IF NOT EXISTS coverage$ON_ALL
(
    station     LowCardinality(String)                  COMMENT 'ICAO code; * for every station that the source lists',
    year        UInt16,
    source      LowCardinality(String),
    days        SimpleAggregateFunction(groupBitOr, UInt256) COMMENT 'Days of the year that are done: bit n for day n, up to 255',
    lateDays    SimpleAggregateFunction(groupBitOr, UInt256) COMMENT 'Bit n for day 256 + n',
    hours       AggregateFunction(groupBitmap, UInt16)       COMMENT 'Hours of the year that have a report: 0 to 8783',
    reportDays  SimpleAggregateFunction(groupBitOr, UInt256) COMMENT 'Days of these hours, which take ten times as long to read; bits as in days',
    lateReportDays SimpleAggregateFunction(groupBitOr, UInt256) COMMENT 'As in lateDays',
    firstReport SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Earliest report of the year',
    lastReport  SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Latest report of the year'
)
ENGINE = $REPLICATED(AggregatingMergeTree)
ORDER BY (station, year, source)
-- A station has about twenty rows, and each row has bitmaps: a granule of 8,192 rows would read far too many.
SETTINGS index_granularity = 64
    $MORE_SETTINGS
;

CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_slices$ON_ALL TO coverage AS
$doneDays
;

-- Adds the hours of inserted reports once these are in both tables, so that pages from either table have what coverage claims.
CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_observations$ON_ALL TO coverage AS
$reportHours
;

-- The parts of the tables behind pages and coverage: new parts show what loaders have written. Two shards can have parts of the
-- same name, so the name here begins with the number of the shard. `from` and `to` are the times of the reports in a part.
CREATE VIEW IF NOT EXISTS served_parts$ON_ALL
(
    table  String,
    name   String,
    rows   UInt32,
    `from` UInt32,
    `to`   UInt32
)
AS
$PARTS(coverage, stations, observations, station_observations, hidden_reports)
