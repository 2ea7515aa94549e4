-- How many reports of each station were last read by an older decoder than this one.
SELECT
    station,
    count() AS reports
FROM $live
WHERE decoder < {decoder:UInt16}
GROUP BY station
ORDER BY station
