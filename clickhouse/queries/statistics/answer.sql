-- The statistics of each group, in the order of stations and groups. The last condition ends a statement whose answer
-- would be too long.
SELECT
    $output
FROM
(
    SELECT *
    FROM $joined
    ORDER BY
        station
        $order
)
WHERE throwIf(rowNumberInAllBlocks() >= {maxRows:UInt32}, 'Too many groups') = 0
FORMAT $format
