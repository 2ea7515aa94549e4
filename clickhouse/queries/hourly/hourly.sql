-- A row for each station and nominal hour of a part of the grid, in the order of hours and stations, also where nothing was
-- reported. `earliest` is the first METAR of the hour, nulls alone where there is none.
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
    SELECT
        toUInt32($nominalHour * 3600) AS nominal,
        CAST(station, 'String') AS station,
        toUInt32(count()) AS n,
        argMinIf(tuple($elements), toUInt64(toUInt32(observedAt)) * 4294967296 + fingerprint, type = 'METAR') AS earliest
    FROM ($highestVersions)
    WHERE NOT retracted
        AND isNull(nil)
    GROUP BY
        nominal,
        station
) AS reports USING (nominal, station)
$where
ORDER BY
    nominal,
    station
$limit
FORMAT $format
