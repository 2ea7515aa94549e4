-- name: records
-- Records of days or months, in the order of stations. What lies ahead has no record.
SELECT
    $columns
FROM $records
WHERE expected > 0
    $andMeets
ORDER BY station, $order
$limit
FORMAT $format

-- name: statistics
-- The values of groups of days. A day counts if it has a report and meets the condition.
SELECT
    $columns
FROM
(
    WITH
        date AS local,
        n > 0 $andMeets AS isKept
    SELECT
        station AS _station,
        toUInt32(countIf(isKept)) AS _n,
        toUInt32(count()) AS _expected
        $selected
    FROM $records
    WHERE expected > 0
    GROUP BY $keys
) AS found
ORDER BY $keys
FORMAT $format
