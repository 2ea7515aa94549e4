-- How many reports stand in the archive, by station and the source of their text. A report NIL says that there is none.
SELECT
    station,
    source,
    toUInt32(count()) AS reports
FROM $live
WHERE NOT nil
GROUP BY station, source
ORDER BY station, source
