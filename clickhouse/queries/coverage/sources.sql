-- The sources of the reports of the archive. The view has one row for each station, year and source, so this reads no
-- report.
SELECT DISTINCT source
FROM coverage
WHERE lastReport IS NOT NULL
