-- A row for each station and nominal hour of a part of the grid, in the order of hours and stations, also where nothing was
-- reported. The first row of an hour is its first METAR where it has one, else nulls stand for it. (`argMin` of a tuple of
-- the fields takes twice the time.)
SELECT
    $columns
FROM
(
    SELECT
        toUInt32({firstHour:UInt32} + intDiv(number, length({gridStations:Array(String)})) * 3600) AS nominal,
        arrayElement({gridStations:Array(String)}, number % length({gridStations:Array(String)}) + 1) AS station
    FROM numbers({firstRow:UInt64}, {rows:UInt64})
) AS grid
LEFT JOIN
(
    SELECT *
    FROM
    (
        SELECT
            * REPLACE (CAST(station, 'String') AS station),
            if(type = 'METAR', toNullable(observedAt), NULL) AS firstAt,
            toUInt32($nominalHour * 3600) AS nominal,
            toUInt32(count() OVER (PARTITION BY nominal, station)) AS n,
            row_number() OVER (PARTITION BY nominal, station ORDER BY type, observedAt, fingerprint) AS place
        FROM ($highestVersions)
        WHERE NOT retracted
            AND isNull(nil)
    )
    WHERE place = 1
) AS reports USING (nominal, station)
$where
ORDER BY
    nominal,
    station
$limit
FORMAT $format
