-- How many rows a file of a snapshot holds.
SELECT toUInt32(count()) AS rows
FROM snapshot_file
