-- What the archive holds, by station, year and source. Every column is a set, a minimum or a maximum, so writing the
-- same again changes nothing.
CREATE TABLE IF NOT EXISTS coverage
(
    station     LowCardinality(String)                  COMMENT 'ICAO code; * for every station that the source lists',
    year        UInt16,
    source      LowCardinality(String),
    days        AggregateFunction(groupBitmap, UInt16)  COMMENT 'Days of the year that are done: 1 to 366',
    hours       AggregateFunction(groupBitmap, UInt16)  COMMENT 'Hours of the year that have a report: 0 to 8783',
    firstReport SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Earliest report of the year',
    lastReport  SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Latest report of the year'
)
ENGINE = AggregatingMergeTree
ORDER BY (station, year, source)
-- A station has some twenty rows, and each row has bitmaps: a granule of 8,192 rows would read far too many.
SETTINGS index_granularity = 64
