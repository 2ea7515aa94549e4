-- Which stations hold a report in a range that lies within one year.
-- Duplicates do not matter here, and a retracted row always has a successor at its own minute.
SELECT DISTINCT station
FROM observations
WHERE station IN {stations:Array(String)}
    AND observedAt >= {from:DateTime}
    AND observedAt < {to:DateTime}
    AND tupleElement(decoded, 'nil') IS NULL
