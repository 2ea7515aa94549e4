-- What the archive holds for each station in a window: its reports, and a number that any report or version changes.
SELECT
    station,
    toUInt32(count()) AS reports,
    toString(sum(cityHash64(observedAt, type, fingerprint, version, source, decoder))) AS checksum
FROM $currentReports
GROUP BY station
ORDER BY station
