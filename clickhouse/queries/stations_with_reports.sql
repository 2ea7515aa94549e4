-- Which stations hold a report in a range that lies within one year.
-- Duplicates do not matter here; what was retracted stands a second time under its new type.
SELECT DISTINCT station
FROM observations
WHERE station IN {stations:Array(String)}
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND tupleElement(decoded, 'nil') IS NULL
