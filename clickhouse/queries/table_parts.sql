-- The active parts of the tables that pages and coverage come from. The counts come from the metadata of the parts: no
-- row is read.
SELECT
    'coverage' AS table,
    _part AS name,
    toUInt32(count()) AS rows
FROM coverage
GROUP BY _part
UNION ALL
SELECT
    'stations' AS table,
    _part AS name,
    toUInt32(count()) AS rows
FROM stations
GROUP BY _part
UNION ALL
SELECT
    'observations' AS table,
    _part AS name,
    toUInt32(count()) AS rows
FROM observations
GROUP BY _part
