-- Holds nothing itself: a door into `coverage`. A process killed between the rows of a slice and the view's part
-- leaves the view hungry, and the retry finds nothing left to insert; so a loader also tells when it saw
-- reports, wherever the archive held some before.
CREATE TABLE IF NOT EXISTS sightings
(
    source      LowCardinality(String),
    station     LowCardinality(String),
    year        UInt16,
    hours       Array(UInt16)   COMMENT 'Hours of the year that hold a report: 0 to 8783',
    firstReport DateTime('UTC') COMMENT 'Earliest of them',
    lastReport  DateTime('UTC') COMMENT 'Latest of them'
)
ENGINE = Null
