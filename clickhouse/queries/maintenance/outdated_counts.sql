-- How many reports of each station were last decoded by an older version of the decoder.
SELECT
    station,
    toUInt32(count()) AS reports
FROM $currentReports
WHERE decoder < {decoder:UInt16}
GROUP BY station
ORDER BY station
