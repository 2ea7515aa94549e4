-- The minutes of the rows for which a condition is true, in order. Replaced versions count too: a record is judged when it
-- is read, and here nothing is sorted or read but the fields that the condition names.
SELECT DISTINCT toUnixTimestamp(observedAt) AS minute
FROM observations
WHERE $selected
    AND ($meets)
ORDER BY minute
LIMIT {rows:UInt32}
