-- The highest version of each selected report, retracted ones too. The enclosing statement checks any other condition,
-- because an older version could meet it. In the order of the table or its projection, nothing is sorted. (FINAL would
-- do the same as LIMIT BY, but cannot use the projection.)
SELECT
    observedAt,
    station,
    type,
    fingerprint,
    retracted
    $columns
FROM observations
WHERE $selected
ORDER BY
    $order,
    version DESC
LIMIT 1 BY $order
