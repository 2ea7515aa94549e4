-- The current reports of a closed range, in the order of D12, as the server sends them to a client.
SELECT
    $columns
FROM ($currentReports) AS report
WHERE NOT report.retracted $meets
FORMAT $format
