CREATE MATERIALIZED VIEW IF NOT EXISTS coverage_from_sightings TO coverage AS
SELECT
    station,
    year,
    source,
    groupBitmapState(hour) AS hours
FROM
(
    SELECT station, year, source, arrayJoin(sightings.hours) AS hour
    FROM sightings
)
GROUP BY station, year, source
