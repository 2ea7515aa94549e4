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
;

-- The done days of each slice of the ledger.
CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_slices TO coverage AS
SELECT
    station,
    toYear(day) AS year,
    source,
    groupBitmapState(toUInt16(toDayOfYear(day))) AS days
FROM
(
    SELECT station, source, arrayJoin(range(toUInt32(firstDay), toUInt32(doneDay)))::UInt16::Date AS day
    FROM slices
)
GROUP BY station, year, source
;

-- The hours of inserted reports. NIL says that there is no report, so it does not count.
CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_observations TO coverage AS
SELECT
    station,
    toYear(observedAt) AS year,
    source,
    groupBitmapState(toUInt16((toDayOfYear(observedAt) - 1) * 24 + toHour(observedAt))) AS hours,
    min(toNullable(observedAt)) AS firstReport,
    max(toNullable(observedAt)) AS lastReport
FROM observations
WHERE NOT retracted AND nil IS NULL
GROUP BY station, year, source
;

-- The hours of reports that loaders received again.
CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_sightings TO coverage AS
SELECT
    station,
    year,
    source,
    groupBitmapState(hour) AS hours,
    min(toNullable(firstReport)) AS firstReport,
    max(toNullable(lastReport)) AS lastReport
FROM
(
    SELECT station, year, source, firstReport, lastReport, arrayJoin(sightings.hours) AS hour
    FROM sightings
)
GROUP BY station, year, source
