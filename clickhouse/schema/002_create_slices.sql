-- The ledger: what loaders have fetched whole. One row a slice, written after its reports are in the archive.
CREATE TABLE IF NOT EXISTS slices
(
    source     LowCardinality(String),
    station    LowCardinality(String)              COMMENT 'ICAO code; * for every station that the source lists',
    firstDay   Date                                COMMENT 'First UTC day of the slice',
    doneDay    Date                                COMMENT 'First UTC day that is not done yet: younger days are provisional',
    endDay     Date                                COMMENT 'First UTC day after the slice',
    reports    UInt32                              COMMENT 'Distinct reports that the source holds for the slice',
    inserted   UInt32                              COMMENT 'Reports of it that the archive did not hold, or held worse',
    skipped    Map(LowCardinality(String), UInt32) COMMENT 'Rows of the source that are no reports, by reason',
    recordedAt DateTime('UTC')                     DEFAULT now()
)
ENGINE = MergeTree
ORDER BY (source, station, firstDay)
