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
