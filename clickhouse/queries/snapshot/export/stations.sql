-- Which source lists which station, with the newest period of record that it states.
SELECT
    CAST(source, 'String') AS source,
    CAST(station, 'String') AS station,
    firstDay,
    lastDay,
    listedAt
FROM stations FINAL
WHERE empty({stations:Array(String)}) OR station IN {stations:Array(String)}
ORDER BY
    source,
    station
FORMAT Parquet
