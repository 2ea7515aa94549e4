-- name: hourly
-- A row for each cell of a part of the grid, in order: its first METAR, or nulls, and the number of its reports. A cell is one
-- number, so joining and sorting compare no text. With a condition only cells whose first METAR meets it have a row, and where
-- stations have ranges of their own only those inside.
SELECT
    $columns
FROM
(
    SELECT
        number AS cell,
        toUInt32({firstHour:UInt32} + intDiv(number, length({gridStations:Array(String)})) * 3600) AS nominal,
        arrayElement({gridStations:Array(String)}, number % length({gridStations:Array(String)}) + 1) AS station
    FROM numbers({firstRow:UInt64}, {rows:UInt64})
    $ownRange
) AS grid
$join JOIN
(
    SELECT
        $cell AS cell,
        toNullable(report.observedAt) AS firstAt
        $values
    FROM $reports
        AND report.counts = 'hour'
        $andMeets
) AS first ON first.cell = grid.cell
LEFT JOIN
(
    SELECT
        $cell AS cell,
        toUInt32(count()) AS n
    FROM $reports
        AND report.counts != 'no'
    GROUP BY cell
) AS counted ON counted.cell = grid.cell
ORDER BY grid.cell
$limit
FORMAT $format
