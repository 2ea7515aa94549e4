-- The reports that count in statistics: retracted and NIL reports never do.
SELECT *
FROM ($highestVersions)
WHERE NOT retracted
    AND NOT nil
