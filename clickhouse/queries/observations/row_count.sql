-- The rows of a range, and those of them that meet its condition, replaced versions and retractions included: never fewer
-- than its records, for the highest version of each record is among them.
SELECT
    toUInt32(count()) AS rows,
    $matches AS matches
FROM observations
WHERE $selected
