-- The statistics of each group, in the order of stations and groups. (These columns are named with their table: a client
-- may call a value as one of them.)
SELECT
    $output
FROM $joined
ORDER BY
    $order
FORMAT $format
