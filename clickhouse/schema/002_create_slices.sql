-- The ledger: the slices that loaders have received completely. One row a slice, written after its reports are in the
-- archive.
CREATE TABLE IF NOT EXISTS slices
(
    source     LowCardinality(String),
    station    LowCardinality(String)              COMMENT 'ICAO code; * for every station that the source lists',
    firstDay   Date                                COMMENT 'First UTC day of the slice',
    doneDay    Date                                COMMENT 'First UTC day that is not done: it and later days are provisional',
    endDay     Date                                COMMENT 'First UTC day after the slice',
    reports    UInt32                              COMMENT 'Distinct reports that the source sent',
    inserted   UInt32                              COMMENT 'Reports that the archive did not have, or had in a lower version',
    skipped    Map(LowCardinality(String), UInt32) COMMENT 'Rows of the source that are not reports, by reason',
    recordedAt DateTime('UTC')                     DEFAULT now()
)
ENGINE = MergeTree
ORDER BY (source, station, firstDay)
