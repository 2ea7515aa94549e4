-- What the last loads of a source took, by day and by slice.
SELECT
    sum(bytes) / sum(stationDays) AS bytesPerDay,
    sum(requests) / sum(slices) AS requestsPerSlice,
    sum(seconds) / sum(slices) AS secondsPerSlice
FROM
(
    SELECT *
    FROM loads
    WHERE source = {source:String}
        AND (stations = ['*']) = {allStations:Bool}
        AND stationDays > 0
    ORDER BY endedAt DESC
    LIMIT 20
)
HAVING count() > 0
