-- How many rows meet a condition in each slot of a window. Replaced versions count too: this sorts nothing and reads
-- only the fields that the condition names.
SELECT
    intDiv(toUnixTimestamp(observedAt) - {from:UInt32}, {slotSeconds:UInt32}) AS slot,
    toUInt32(count()) AS matches
FROM observations
WHERE $selected
    AND ($meets)
GROUP BY slot
ORDER BY slot
