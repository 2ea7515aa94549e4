-- name: hourly
-- A row for each cell of a part of the grid, in order, even if nothing was reported. The first row of a cell is its
-- first METAR, or nulls if it has none. A cell is one number, so joining and sorting compare no text. One report per
-- minute and type counts. (`argMin` of a tuple of the fields takes twice the time.)
SELECT
    $columns
FROM
(
    SELECT
        number AS cell,
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
            * EXCEPT (station),
            if(type = 'METAR', toNullable(observedAt), NULL) AS firstAt,
            toUInt32(uniqExact(toUInt32(observedAt) + (type = 'SPECI')) OVER (PARTITION BY cell)) AS n,
            row_number() OVER (PARTITION BY cell ORDER BY type, observedAt, $bestOfMinute) AS place
        FROM ($highestVersions)
        WHERE NOT retracted
            AND isNull(nil)
    )
    WHERE place = 1
) AS reports USING (cell)
$where
ORDER BY cell
$limit
FORMAT $format
