-- Stores nothing: an insert here feeds `coverage`. A loader killed between the rows of a slice and their materialized
-- view leaves `coverage` without the hours of these rows, and its retry inserts nothing; so loaders also write the
-- hours of reports that the archive already had.
CREATE TABLE IF NOT EXISTS sightings
(
    source      LowCardinality(String),
    station     LowCardinality(String),
    year        UInt16,
    hours       Array(UInt16)   COMMENT 'Hours of the year that have a report: 0 to 8783',
    firstReport DateTime('UTC') COMMENT 'Earliest of them',
    lastReport  DateTime('UTC') COMMENT 'Latest of them'
)
ENGINE = Null
