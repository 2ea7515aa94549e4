-- How many rows the footer of a Parquet file states, for the file and for its row groups together.
SELECT toFloat64(greatest(num_rows, arraySum(group -> group.num_rows, row_groups))) AS rows
FROM snapshot_file
