-- The newest report of the archive that is not in the future: one report's wrong time says nothing about the others.
-- The view has one row for each station, year and source, so this reads no report.
SELECT toUnixTimestamp(max(lastReport)) AS newest
FROM coverage
WHERE lastReport <= toDateTime({until:UInt32}, 'UTC')
