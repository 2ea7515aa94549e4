-- The newest report of each station that has one. Reads the coverage view, which has a row for each station and year.
SELECT
    station,
    toUnixTimestamp(max(lastReport)) AS newest
FROM coverage
WHERE lastReport IS NOT NULL
GROUP BY station
