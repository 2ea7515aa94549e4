-- The ledger: the slices that loaders have received completely. One row per slice, written after its reports are in the
-- archive. `reportsByDay` finds reports that are lost later.
CREATE TABLE IF NOT EXISTS slices
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
    reportsByDay Array(UInt32)                       COMMENT 'Distinct reports that the archive held of each day from firstDay on, of any source'
)
ENGINE = MergeTree
ORDER BY (source, station, firstDay)
