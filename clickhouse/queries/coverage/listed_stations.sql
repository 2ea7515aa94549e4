-- Every station that some source lists.
SELECT DISTINCT station
FROM stations
ORDER BY station
