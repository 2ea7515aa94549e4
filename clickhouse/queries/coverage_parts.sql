-- The parts that coverage and listings consist of now, told from what is kept of each part: no row is read.
SELECT 'coverage' AS table, _part AS name, toUInt32(count()) AS rows
FROM coverage
GROUP BY _part
UNION ALL
SELECT 'stations' AS table, _part AS name, toUInt32(count()) AS rows
FROM stations
GROUP BY _part
