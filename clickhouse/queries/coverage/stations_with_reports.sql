-- Which stations hold a report in a range that lies within one year.
-- Replaced versions do no harm here, and a retracted report is stored a second time under its new type.
SELECT DISTINCT station
FROM observations
WHERE station IN {stations:Array(String)}
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
    AND nil IS NULL
