-- The runs of loaders: a row for each source of a load that has ended, however it ended, and of each cycle of `follow`.
CREATE TABLE IF NOT EXISTS loads
(
    source      LowCardinality(String),
    endedAt     DateTime('UTC'),
    stations    Array(LowCardinality(String)) COMMENT 'ICAO codes that the load asked for, or * alone; empty for a cycle of follow',
    firstDay    Date                          COMMENT 'First UTC day that the load asked for',
    endDay      Date                          COMMENT 'First UTC day after the last one',
    slices      UInt32                        COMMENT 'Slices that were loaded',
    stationDays UInt32                        COMMENT 'Days of these slices; 0 where they were not whole days',
    requests    UInt32,
    bytes       UInt64                        COMMENT 'Bytes that the source sent',
    seconds     Float32                       COMMENT 'Time from the start of the load to its end',
    inserted    UInt32                        COMMENT 'Reports that the archive did not have, or had in a lower version',
    failure     String                        COMMENT 'Why the first slice that failed was not loaded; empty where none failed'
)
ENGINE = MergeTree
ORDER BY (source, endedAt)
