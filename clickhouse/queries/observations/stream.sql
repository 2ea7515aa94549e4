-- The current reports of a closed range as the engine prints them for a client or a file.
SELECT
    $columns
FROM ($highestVersions) AS report
WHERE NOT report.retracted $meets
FORMAT $format
