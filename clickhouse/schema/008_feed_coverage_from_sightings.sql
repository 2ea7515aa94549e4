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
